// Loops in the toJSON of what is printed.
// In process: timeout
function visit() { console.log({ toJSON() { for (;;); } }); }
