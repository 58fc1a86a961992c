// Turns an array nested 100,000 times into a string.
// In process: script error
function visit() { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; String(a); }
