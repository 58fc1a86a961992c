// Fills the heap again in the catch and in the finally of the first time.
// In process: memory
function visit() {
  const kept = [], fill = () => { for (;;) kept.push({ kept }); };
  try { fill(); } catch { fill(); } finally { fill(); }
}
