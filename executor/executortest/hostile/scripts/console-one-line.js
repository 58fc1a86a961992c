// Prints a line of 400 MB.
// In process: script error
function visit() { console.log("x".repeat(4e8)); }
