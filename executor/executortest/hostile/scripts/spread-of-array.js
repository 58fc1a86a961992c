// Spreads an array into one twice as long, again and again.
// In process: memory or aborts or not stopped
function visit() { let a = [1]; for (;;) a = [...a, ...a]; }
