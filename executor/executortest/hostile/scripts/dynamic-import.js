// Imports a module, which nobody loads.
// In process: ok
function visit() { import("data:text/javascript,for(;;);").then(() => { for (;;); }); }
