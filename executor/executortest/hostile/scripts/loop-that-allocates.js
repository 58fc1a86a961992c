// Loops and makes garbage, so that the collector is always at work.
// In process: timeout
function visit() { for (;;) ({ a: [1, 2, 3], b: "x" + {} }); }
