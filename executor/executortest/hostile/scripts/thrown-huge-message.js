// Throws an error with a message of 10 MB.
// In process: script error
function visit() { throw new Error("x".repeat(1e7)); }
