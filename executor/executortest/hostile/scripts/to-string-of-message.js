// Loops in the toString of a message.
// In process: timeout
function visit() { addError(buildError(1, 1, 1, 2, { toString() { for (;;); } })); }
