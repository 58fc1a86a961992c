// Reports a violation that ends before it starts.
// In process: script error
function visit() { addError(buildError(9, 9, 1, 1, "m")); }
