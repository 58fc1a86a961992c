// Throws an error that is its own cause, and whose name is no string.
// In process: script error
function visit() { const e = new Error("e"); e.cause = e; e.name = Symbol("s"); throw e; }
