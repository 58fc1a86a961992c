// Reports a million violations.
// In process: script error
function visit() { for (let i = 0; i < 1e6; i++) addError(buildError(1, 1, 1, 2, "m")); }
