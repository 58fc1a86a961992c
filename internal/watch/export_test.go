package watch

// Cancellation returns what the context that is bound now runs when it is
// cancelled. A test can run it as late as a scheduler may.
func (g *Guard) Cancellation() func() {
	number := g.bound
	return func() { g.cancelled(number) }
}
