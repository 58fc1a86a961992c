// Loops with an empty body.
// In process: timeout
function visit() { for (;;); }
