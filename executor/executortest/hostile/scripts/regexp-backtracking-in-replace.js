// The same from inside replace.
// In process: timeout
function visit() { ("a".repeat(40) + "b").replace(/(a|aa)+$/g, "x"); }
