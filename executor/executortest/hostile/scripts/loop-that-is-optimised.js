// Counts in a hot function that V8 compiles to machine code while it runs.
// In process: timeout
function spin() { let n = 0; while (n >= 0) n = (n + 1) & 0xffff; return n; }
function visit() { spin(); }
