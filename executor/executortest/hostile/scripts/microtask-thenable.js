// Loops in the then method of what is awaited.
// In process: timeout
function visit() { (async () => { await { then() { for (;;); } }; })(); }
