// Makes an array of 100 million elements.
// In process: memory or aborts or not stopped
function visit() { Array.from({ length: 1e8 }); }
