// Gives an object new properties for ever.
// In process: memory
function visit() { const o = {}; for (let i = 0; ; i++) o["k" + i] = i; }
