// Tries to end the function that rules are wrapped in.
// In process: script error
} for (;;); { function visit() {}
