// Fills an array of 30 million elements and looks at it again and again.
// In process: aborts or not stopped or memory
function visit() { for (let n = 1e6; ; n *= 2) new Array(n).fill(0); }
