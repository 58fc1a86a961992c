// Loops in a getter that is read when the findings are handed over.
// In process: timeout
function visit() {
  const v = buildError(1, 1, 1, 2, "m");
  Object.defineProperty(v, "message", { get() { for (;;); } });
  addError(v);
}
