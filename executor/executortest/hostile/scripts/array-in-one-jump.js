// Asks for an array that does not fit, all at once.
// In process: memory or aborts or not stopped
function visit() { const a = []; for (let n = 1e6; ; n *= 2) a.push(new Array(n).fill(0.5)); }
