// Replaces a method of all arrays.
// In process: ok
function visit() { Array.prototype.map = Array.prototype.push = () => "not yours"; }
