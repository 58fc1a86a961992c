// Loops when visit is over and its microtasks run.
// In process: timeout
function visit() { (async () => { await 0; for (;;); })(); }
