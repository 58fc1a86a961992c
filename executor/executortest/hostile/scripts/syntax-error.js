// Is not JavaScript.
// In process: script error
function visit( {
