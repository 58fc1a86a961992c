// Calls itself until the stack is full.
// In process: script error
function visit() { visit(); }
