// The same, and catches each error.
// In process: script error or timeout
function visit() { for (let i = 0; i < 1e6; i++) try { addError(buildError(1, 1, 1, 2, "m")); } catch {} }
