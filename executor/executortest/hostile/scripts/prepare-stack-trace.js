// Loops where V8 would ask a script how to print a stack.
// In process: script error
function visit() { Error.prepareStackTrace = () => { for (;;); }; null.x; }
