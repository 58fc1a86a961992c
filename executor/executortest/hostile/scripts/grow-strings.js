// Keeps many different texts.
// In process: memory
function visit() { const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i); }
