// Iterates over a generator that never ends.
// In process: timeout
function* endless() { for (;;) yield 1; }
function visit() { for (const x of endless()); }
