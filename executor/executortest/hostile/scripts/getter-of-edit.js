// The same, deep inside a fix.
// In process: timeout
function visit() {
  addError(buildError(1, 1, 1, 2, "m").addFix(buildFix("f", [{ get editType() { for (;;); } }])));
}
