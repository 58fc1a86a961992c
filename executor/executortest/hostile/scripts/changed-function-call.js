// Replaces call and apply, by which functions call each other.
// In process: ok
function visit() { Function.prototype.call = Function.prototype.apply = () => { for (;;); }; }
