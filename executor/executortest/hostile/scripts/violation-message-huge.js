// Reports a violation with a message of 100 MB.
// In process: script error
function visit() { addError(buildError(1, 1, 1, 2, "x".repeat(1e8))); }
