// Raises 3 to a power that does not fit in memory.
// In process: script error
function visit() { 3n ** (2n ** 64n); }
