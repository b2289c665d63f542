//===- Attributes.td - The attributes of class files -------*- tablegen -*-===//
//
// Part of jopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per attribute of the JVM specification (Java SE 25, 4.7, and what
// is in preview in 28), and of what compilers add to it: where it may stand,
// since when, and how its payload is laid out. Printing and parsing a payload, finding what it uses, and moving
// it with its code all go through this table.
//
// The layout language:
//
//   layout := field*
//   field  := [label ':'] item
//   item   := u1 | u2 | u4      a number of that many bytes
//           | slot              u2, a local variable
//           | pc                u2, the offset of an instruction
//           | from              u2, an offset into the code: the element holds
//                               from there up to where another begins
//           | range             two u2: an offset into the code and a length
//           | span              two u2: offsets of the first and the last byte
//                               of a part of the code
//           | handler           u2, a row of the exception table
//           | Tag ['|' Tag]* ['?']   u2, an index of a pool entry of one of the
//                               tags; with '?', zero is allowed
//           | flags(set)        u2, a set of the flags below
//           | bytes             u4 and that many bytes
//           | text              modified UTF-8 up to the end of the payload
//           | attributes(place) u2 and that many attributes
//           | '[' count field* ']'   count (u1 or u2) and that many elements
//           | '@' name          the payload layout of that name
//           | '{' case* '}'     a u1 tag that selects the fields that follow
//   case   := number ['-' number] keyword ':' field* ';'
//
// A case that stands for several tags prints the distance from the first one
// behind its keyword.
//
// Inside Code, fields that point into it (pc, from, range, span, handler) stand
// in elements of lists, one in an element besides those of lists inside it; an
// element with `from` has a fixed size. lib/Writer/Relocation.h says what
// becomes of an element when the code changes.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

/// Where an attribute stands; a set of these is a sum.
class Place<int mask> { int Mask = mask; }
def InClass : Place<1>;
def InField : Place<2>;
def InMethod : Place<4>;
def InCode : Place<8>;
def InRecordComponent : Place<16>;

class Attribute<string name, list<Place> places, int since, string layout,
                string summary> {
  string Name = name;
  bits<8> Places = !foldl(0, places, sum, p, !add(sum, p.Mask));
  list<Place> PlaceList = places;
  // First major version of class files in which the JVM knows it.
  bits<8> Since = since;
  string Layout = layout;
  string Summary = summary;
}

/// A layout that attributes refer to by '@' name.
class Layout<string name, string layout> {
  string Name = name;
  string Layout = layout;
}

/// A flag of a set: its bit and the word it is written with.
class Flag<string set, int mask, string word, int valueClasses = 0> {
  string Set = set;
  bits<16> Mask = mask;
  string Word = word;
  // Its word only in class files that may be of value classes; a row for the
  // others follows, if the bit has a name there.
  bits<1> OfValueClasses = valueClasses;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def : Attribute<"AnnotationDefault", [InMethod], 49, "@element",
  "Default value of an element of an annotation interface.">;
def : Attribute<"BootstrapMethods", [InClass], 51,
  "[u2 MethodHandle arguments:[u2 Integer|Float|Long|Double|Class|String|MethodHandle|MethodType|Dynamic]]",
  "Bootstrap methods of dynamic call sites and constants.">;
def : Attribute<"CharacterRangeTable", [InCode], 45,
  "[u2 span start:u4 end:u4 flags:u2]",
  "Characters of the source that code was compiled from; javac -Xjcov writes it, the JVM does not read it.">;
def : Attribute<"Code", [InMethod], 45,
  "stack:u2 locals:u2 code:bytes handlers:[u2 start:pc end:pc handler:pc catch:Class?] attributes(code)",
  "The instructions of a method. A method that was lifted has a code block in its place.">;
def : Attribute<"ConstantValue", [InField], 45,
  "Integer|Float|Long|Double|String", "Initial value of a static field.">;
def : Attribute<"Deprecated", [InClass, InField, InMethod], 45, "",
  "Marks what should not be used any more.">;
def : Attribute<"EnclosingMethod", [InClass], 49,
  "class:Class method:NameAndType?",
  "The method or class around a local or anonymous class.">;
def : Attribute<"Exceptions", [InMethod], 45, "[u2 Class]",
  "Checked exceptions of a method.">;
def : Attribute<"InnerClasses", [InClass], 45,
  "[u2 inner:Class outer:Class? name:Utf8? flags(inner)]",
  "Classes in the pool that are no members of a package.">;
def : Attribute<"LineNumberTable", [InCode], 45, "[u2 from line:u2]",
  "Source lines of the code.">;
def : Attribute<"LoadableDescriptors", [InClass], 72, "[u2 Utf8]",
  "Descriptors whose classes the JVM may load early, to see whether they are value classes.">;
def : Attribute<"LocalVariableTable", [InCode], 45,
  "[u2 range name:Utf8 type:Utf8 slot:slot]",
  "Names and descriptors of local variables.">;
def : Attribute<"LocalVariableTypeTable", [InCode], 49,
  "[u2 range name:Utf8 type:Utf8 slot:slot]",
  "Names and signatures of local variables.">;
def : Attribute<"MethodParameters", [InMethod], 52,
  "[u1 name:Utf8? flags(parameter)]", "Names of formal parameters.">;
def : Attribute<"Module", [InClass], 53,
  "name:Module flags(module) version:Utf8? "
  "requires:[u2 Module flags(requires) version:Utf8?] "
  "exports:[u2 Package flags(exports) to:[u2 Module]] "
  "opens:[u2 Package flags(exports) to:[u2 Module]] "
  "uses:[u2 Class] "
  "provides:[u2 Class with:[u2 Class]]",
  "The module that a module-info declares.">;
def : Attribute<"ModuleMainClass", [InClass], 53, "Class",
  "Main class of a module.">;
def : Attribute<"ModulePackages", [InClass], 53, "[u2 Package]",
  "All packages of a module.">;
def : Attribute<"NestHost", [InClass], 55, "Class",
  "The host of the nest that the class belongs to.">;
def : Attribute<"NestMembers", [InClass], 55, "[u2 Class]",
  "The members of the nest that the class hosts.">;
def : Attribute<"PermittedSubclasses", [InClass], 61, "[u2 Class]",
  "Direct subclasses of a sealed class.">;
def : Attribute<"Record", [InClass], 60,
  "[u2 name:Utf8 type:Utf8 attributes(record)]",
  "Components of a record class.">;
def : Attribute<"RuntimeInvisibleAnnotations",
  [InClass, InField, InMethod, InRecordComponent], 49, "[u2 @annotation]",
  "Annotations that reflection does not see.">;
def : Attribute<"RuntimeInvisibleParameterAnnotations", [InMethod], 49,
  "[u1 [u2 @annotation]]",
  "Annotations of parameters that reflection does not see.">;
def : Attribute<"RuntimeInvisibleTypeAnnotations",
  [InClass, InField, InMethod, InCode, InRecordComponent], 52,
  "[u2 @typeannotation]",
  "Annotations of types that reflection does not see.">;
def : Attribute<"RuntimeVisibleAnnotations",
  [InClass, InField, InMethod, InRecordComponent], 49, "[u2 @annotation]",
  "Annotations.">;
def : Attribute<"RuntimeVisibleParameterAnnotations", [InMethod], 49,
  "[u1 [u2 @annotation]]", "Annotations of parameters.">;
def : Attribute<"RuntimeVisibleTypeAnnotations",
  [InClass, InField, InMethod, InCode, InRecordComponent], 52,
  "[u2 @typeannotation]", "Annotations of types.">;
def : Attribute<"Signature", [InClass, InField, InMethod, InRecordComponent],
  49, "Utf8", "The generic signature.">;
def : Attribute<"SourceDebugExtension", [InClass], 49, "text",
  "Debugging information for other source languages.">;
def : Attribute<"SourceFile", [InClass], 45, "Utf8",
  "Name of the source file.">;
def : Attribute<"StackMapTable", [InCode], 50, "[u2 @frame]",
  "Types of slots and stack at branch targets. Lifted code has them in the signatures of its blocks instead.">;
def : Attribute<"Synthetic", [InClass, InField, InMethod], 45, "",
  "Marks what has no counterpart in the source.">;

//===----------------------------------------------------------------------===//
// Parts of layouts
//===----------------------------------------------------------------------===//

def : Layout<"annotation", "type:Utf8 values:[u2 Utf8 @element]">;
def : Layout<"element",
  "{ 0x42 byte: Integer; 0x43 char: Integer; 0x44 double: Double;"
  "  0x46 float: Float; 0x49 int: Integer; 0x4a long: Long;"
  "  0x53 short: Integer; 0x5a boolean: Integer; 0x73 string: Utf8;"
  "  0x65 enum: Utf8 Utf8; 0x63 class: Utf8; 0x40 annotation: @annotation;"
  "  0x5b array: [u2 @element]; }">;
def : Layout<"typeannotation",
  "{ 0x00 class-parameter: u1; 0x01 method-parameter: u1; 0x10 supertype: u2;"
  "  0x11 class-bound: u1 u1; 0x12 method-bound: u1 u1; 0x13 field: ;"
  "  0x14 return: ; 0x15 receiver: ; 0x16 formal: u1; 0x17 throws: u2;"
  "  0x40 local: [u2 range slot:slot]; 0x41 resource: [u2 range slot:slot];"
  "  0x42 catch: handler; 0x43 instanceof: pc; 0x44 new: pc;"
  "  0x45 constructor-reference: pc; 0x46 method-reference: pc;"
  "  0x47 cast: pc u1; 0x48 constructor-argument: pc u1;"
  "  0x49 method-argument: pc u1; 0x4a constructor-reference-argument: pc u1;"
  "  0x4b method-reference-argument: pc u1; }"
  "path:[u1 { 0 array: u1; 1 nested: u1; 2 wildcard: u1; 3 argument: u1; }]"
  "type:Utf8 values:[u2 Utf8 @element]">;
defvar baseFrames =
  " 0-63 same: ; 64-127 same-one: @verification;"
  "  247 same-one-extended: u2 @verification; 248-250 chop: u2;"
  "  251 same-extended: u2; 252 append-one: u2 @verification;"
  "  253 append-two: u2 @verification @verification;"
  "  254 append-three: u2 @verification @verification @verification;"
  "  255 full: u2 locals:[u2 @verification] stack:[u2 @verification]; ";
def : Layout<"frame",
  !strconcat("{", baseFrames,
             " 246 early-larval: unset:[u2 NameAndType] @baseframe; }")>;
def : Layout<"baseframe", !strconcat("{", baseFrames, "}")>;
def : Layout<"verification",
  "{ 0 top: ; 1 int: ; 2 float: ; 3 double: ; 4 long: ; 5 null: ;"
  "  6 uninitthis: ; 7 object: Class; 8 uninit: pc; }">;

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

def : Flag<"class", 0x0001, "public">;
def : Flag<"class", 0x0010, "final">;
def : Flag<"class", 0x0020, "identity", 1>;
def : Flag<"class", 0x0020, "super">;
def : Flag<"class", 0x0200, "interface">;
def : Flag<"class", 0x0400, "abstract">;
def : Flag<"class", 0x1000, "synthetic">;
def : Flag<"class", 0x2000, "annotation">;
def : Flag<"class", 0x4000, "enum">;
def : Flag<"class", 0x8000, "module">;

def : Flag<"inner", 0x0001, "public">;
def : Flag<"inner", 0x0002, "private">;
def : Flag<"inner", 0x0004, "protected">;
def : Flag<"inner", 0x0008, "static">;
def : Flag<"inner", 0x0010, "final">;
def : Flag<"inner", 0x0020, "identity", 1>;
def : Flag<"inner", 0x0200, "interface">;
def : Flag<"inner", 0x0400, "abstract">;
def : Flag<"inner", 0x1000, "synthetic">;
def : Flag<"inner", 0x2000, "annotation">;
def : Flag<"inner", 0x4000, "enum">;

def : Flag<"field", 0x0001, "public">;
def : Flag<"field", 0x0002, "private">;
def : Flag<"field", 0x0004, "protected">;
def : Flag<"field", 0x0008, "static">;
def : Flag<"field", 0x0010, "final">;
def : Flag<"field", 0x0040, "volatile">;
def : Flag<"field", 0x0080, "transient">;
def : Flag<"field", 0x0800, "strict", 1>;
def : Flag<"field", 0x1000, "synthetic">;
def : Flag<"field", 0x4000, "enum">;

def : Flag<"method", 0x0001, "public">;
def : Flag<"method", 0x0002, "private">;
def : Flag<"method", 0x0004, "protected">;
def : Flag<"method", 0x0008, "static">;
def : Flag<"method", 0x0010, "final">;
def : Flag<"method", 0x0020, "synchronized">;
def : Flag<"method", 0x0040, "bridge">;
def : Flag<"method", 0x0080, "varargs">;
def : Flag<"method", 0x0100, "native">;
def : Flag<"method", 0x0400, "abstract">;
def : Flag<"method", 0x0800, "strict">;
def : Flag<"method", 0x1000, "synthetic">;

def : Flag<"parameter", 0x0010, "final">;
def : Flag<"parameter", 0x1000, "synthetic">;
def : Flag<"parameter", 0x8000, "mandated">;

def : Flag<"module", 0x0020, "open">;
def : Flag<"module", 0x1000, "synthetic">;
def : Flag<"module", 0x8000, "mandated">;

def : Flag<"requires", 0x0020, "transitive">;
def : Flag<"requires", 0x0040, "static-phase">;
def : Flag<"requires", 0x1000, "synthetic">;
def : Flag<"requires", 0x8000, "mandated">;

def : Flag<"exports", 0x1000, "synthetic">;
def : Flag<"exports", 0x8000, "mandated">;

def AttributeTable : GenericTable {
  let FilterClass = "Attribute";
  let CppTypeName = "AttributeInfo";
  let Fields = ["Name", "Places", "Since", "Layout", "Summary"];
}
def LayoutTable : GenericTable {
  let FilterClass = "Layout";
  let CppTypeName = "LayoutRow";
  let Fields = ["Name", "Layout"];
}
def FlagTable : GenericTable {
  let FilterClass = "Flag";
  let CppTypeName = "FlagInfo";
  let Fields = ["Set", "Mask", "Word", "OfValueClasses"];
}
