// Passes 300,000 arguments to a function.
// In process: script error
function visit() { Math.max(...new Array(3e5).fill(1)); }
