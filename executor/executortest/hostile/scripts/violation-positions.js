// Reports violations far outside of the file.
// In process: ok
function visit() { addError(buildError(4294967295, 4294967295, 4294967295, 4294967295, "m")); addError(buildError(0, 0, 0, 0, "m")); }
