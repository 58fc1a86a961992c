// Prints without end.
// In process: script error
function visit() { for (;;) console.log("x".repeat(1000)); }
