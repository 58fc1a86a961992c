// Turns a text of 80 MB into JSON, where each letter takes six.
// In process: not stopped or aborts
function visit() { JSON.stringify("\u0001".repeat(8e7)); }
