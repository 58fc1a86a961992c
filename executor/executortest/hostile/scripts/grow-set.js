// Fills a Set with numbers, whose table doubles in one jump.
// In process: memory or aborts or not stopped
function visit() { const s = new Set(); for (let i = 0; ; i++) s.add(i + 0.5); }
