//===- StrategyTable.td - Strategies for C++ ---------------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table for lib/Coverage of Strategies.td, which other tables include too.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"
include "jopt/Coverage/Strategies.td"

def StrategyEnum : GenericEnum {
  let FilterClass = "Strategy";
}
def ElementEnum : GenericEnum {
  let FilterClass = "Element";
}
def PointEnum : GenericEnum {
  let FilterClass = "Point";
}
def PathStrategyEnum : GenericEnum {
  let FilterClass = "PathStrategy";
}
def PathStrategyTable : GenericTable {
  let FilterClass = "PathStrategy";
  let CppTypeName = "PathStrategyInfo";
  let Fields = ["Name", "Measures", "Exact", "InFlight", "IsSampled"];
}
def EdgeStrategyEnum : GenericEnum {
  let FilterClass = "EdgeStrategy";
}
def EdgeStrategyTable : GenericTable {
  let FilterClass = "EdgeStrategy";
  let CppTypeName = "EdgeStrategyInfo";
  let Fields = ["Name", "Measures", "Exact", "InFlight", "Elements", "IsSampled"];
  string TypeOf_Elements = "ElementEnum";
}
def StrategyTable : GenericTable {
  let FilterClass = "Strategy";
  let CppTypeName = "StrategyInfo";
  let Fields = ["Name", "Measures", "Exact", "InFlight", "Elements", "Points"];
  string TypeOf_Elements = "ElementEnum";
  string TypeOf_Points = "PointEnum";
}
