// Replaces what all regular expressions match with.
// In process: timeout
function visit() { RegExp.prototype.exec = () => { for (;;); }; /x/.test("x"); }
