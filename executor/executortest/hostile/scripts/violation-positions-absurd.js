// Reports a violation at no place at all.
// In process: script error
function visit() { addError(buildError(-1, NaN, Infinity, "x", "m")); }
