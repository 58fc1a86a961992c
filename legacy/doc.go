// Package legacy is the executor that starts a watchdog thread for every
// execution, as static analyzers used to do. It is the baseline that package
// ddsa is measured against, and what a service goes back to.
package legacy
