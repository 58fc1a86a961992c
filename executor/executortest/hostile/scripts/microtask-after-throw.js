// Throws, and leaves a loop to the microtasks.
// In process: timeout
function visit() { (async () => { await 0; for (;;); })(); throw new Error("first"); }
