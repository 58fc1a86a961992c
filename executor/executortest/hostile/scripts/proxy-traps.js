// A proxy that answers each question with a loop.
// In process: timeout
function visit() { "x" in new Proxy({}, { has() { for (;;); } }); }
