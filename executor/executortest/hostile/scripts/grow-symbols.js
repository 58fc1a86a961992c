// Registers symbols, which V8 keeps for the whole runtime.
// In process: memory or timeout
function visit() { for (let i = 0; ; i++) Symbol.for("x".repeat(1000) + i); }
