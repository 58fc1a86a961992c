// Multiplies numbers with a million bits.
// In process: timeout
function visit() { const n = 1n << 1_000_000n; for (;;) (n - 1n) * (n - 3n); }
