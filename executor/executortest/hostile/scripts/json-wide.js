// Turns a graph with 2 to the power of 40 paths into JSON.
// In process: timeout or memory
function visit() { let o = 1; for (let i = 0; i < 40; i++) o = [o, o]; JSON.stringify(o); }
