// Repeats a repetition: the compiled form has a million steps.
// In process: ok or script error
function visit() { try { /((((a{1,100}){1,100}){1,100}){1,100}){1,100}/.test("a"); } finally { new RegExp("(?:a{1,1000}){1,1000}").test("b"); } }
