// Fills an array one element at a time.
// In process: memory
function visit() { const a = []; for (;;) a.push({ a }); }
