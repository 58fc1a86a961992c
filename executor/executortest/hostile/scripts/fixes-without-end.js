// Proposes a list of edits that grows while it is read.
// In process: script error
function visit() {
  const edits = new Proxy([], { get: (_, key) => (key === "length" ? 4294967295 : buildEditRemove(1, 1, 1, 2)) });
  addError(buildError(1, 1, 1, 2, "m").addFix(buildFix("f", edits)));
}
