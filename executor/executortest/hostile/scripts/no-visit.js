// Has no visit.
// In process: script error
function vizit() {}
