// Writes numbers with a million bits in decimal.
// In process: timeout
function visit() { for (;;) String((1n << 1_000_000n) - 1n); }
