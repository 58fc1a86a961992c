// Catches whatever ends the loop, and loops again.
// In process: timeout
function visit() { for (;;) try { for (;;); } catch { for (;;); } }
