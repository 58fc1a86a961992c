// Chains closures, each of which holds the last.
// In process: memory
function visit() { let f = () => 0; for (;;) { const g = f, pad = new Array(10).fill(1); f = () => [g, pad]; } }
