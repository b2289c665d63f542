//===- utils/model/Mark.java - an annotation of programs ------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

package model;

/** What patterns of probe classes may ask for; only its name matters. */
@interface Mark {}
