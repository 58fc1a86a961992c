// Proposes fixes that overlap, remove everything, and contradict each other.
// In process: ok
function visit() {
  addError(buildError(1, 1, 1, 2, "m")
    .addFix(buildFix("a", [buildEditRemove(1, 1, 999, 1), buildEditUpdate(1, 1, 1, 5, "x"), buildEditAdd(1, 3, "y")]))
    .addFix(buildFix("b", [buildEditRemove(1, 2, 1, 3), buildEditRemove(1, 2, 1, 3)])));
}
