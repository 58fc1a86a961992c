// Starts generators and ends none.
// In process: memory
function visit() { const all = []; for (;;) { const g = (function* () { yield 1; })(); g.next(); all.push(g); } }
