# What differs between the packages; CPack reads it for each generator.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
