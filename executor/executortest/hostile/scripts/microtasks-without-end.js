// Each microtask makes the next one.
// In process: timeout
function visit() { (async () => { for (;;) await 0; })(); }
