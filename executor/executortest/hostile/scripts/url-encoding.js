// Encodes a text of 100 MB, which becomes three times as long.
// In process: not stopped or aborts or memory
function visit() { encodeURIComponent("ä".repeat(5e7)); }
