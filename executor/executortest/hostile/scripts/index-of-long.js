// Looks for a long text in a longer one, which takes the product of both.
// In process: timeout
function visit() { for (;;) ("a".repeat(2 ** 20) + "b").indexOf("a".repeat(2 ** 19) + "c"); }
