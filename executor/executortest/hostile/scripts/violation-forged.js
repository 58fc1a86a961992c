// Reports things that look like violations.
// In process: script error
function visit() { addError({ __proto__: buildError(1, 1, 1, 2, "m"), fixes: { length: 1e9 } }); }
