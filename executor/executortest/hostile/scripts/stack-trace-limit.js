// Asks for stacks without a limit, at the bottom of a deep one.
// In process: script error
function visit() { Error.stackTraceLimit = Infinity; visit(); }
