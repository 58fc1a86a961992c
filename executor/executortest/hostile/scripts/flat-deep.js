// Flattens an array that contains itself many times.
// In process: memory or aborts or not stopped or timeout
function visit() { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; a.flat(Infinity); }
