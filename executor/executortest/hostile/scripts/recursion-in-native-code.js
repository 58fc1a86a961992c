// Fills the stack by way of built-in functions.
// In process: script error
function visit() { const f = () => [1].map(() => JSON.stringify({ toJSON: f })); f(); }
