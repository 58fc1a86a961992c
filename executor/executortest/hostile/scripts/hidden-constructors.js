// Looks for Function, buffers and shared memory by way of what is left.
// In process: script error
function visit() {
  for (const f of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    try { f.constructor("for (;;);")(); } catch (e) { if (!(e instanceof EvalError)) return; }
  }
  (0, eval)("for (;;);");
}
