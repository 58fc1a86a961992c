// Fills a Map.
// In process: memory
function visit() { const m = new Map(); for (let i = 0; ; i++) m.set(i, { i }); }
