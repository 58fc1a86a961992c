// Waits for many promises at once.
// In process: memory
function visit() { const wait = async (p) => { await p; }; let p = wait(0); const all = []; for (;;) all.push(wait(p)); }
