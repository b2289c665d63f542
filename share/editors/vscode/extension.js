// ===- extension.js - logpoints by `jopt dap` -------------------------------===//
//
// Part of the jopt project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ===-----------------------------------------------------------------------===//

const vscode = require("vscode");

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("jopt", {
      createDebugAdapterDescriptor(session) {
        return new vscode.DebugAdapterExecutable(session.configuration.jopt || "jopt", ["dap"]);
      },
    })
  );
};
