// Lets the editor talk to `selvedge debug`.

const vscode = require("vscode");

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor() {
      const path = vscode.workspace.getConfiguration("selvedge").get("path") || "selvedge";
      return new vscode.DebugAdapterExecutable(path, ["debug"]);
    },
  };
  context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("selvedge", factory));
};
