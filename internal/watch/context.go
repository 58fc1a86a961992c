package watch

import "context"

// Bind makes ctx the context whose cancellation stops the executions that
// follow, in the place of the one before. Contexts are told apart by their Done
// channels: another context with the same channel costs nothing, and one that
// cannot be cancelled is not registered. The registration lasts until the next
// Bind of another context, or Close. The executing goroutine calls it before
// Arm.
func (g *Guard) Bind(ctx context.Context) {
	if ctx.Done() != g.done {
		g.bind(ctx)
	}
}

// bind changes the bound context.
func (g *Guard) bind(ctx context.Context) {
	// A cancellation of the old context may be on its way already. The word
	// would not tell it from ours (deadlines can be equal, Forever always is),
	// the count does: from here on the old one finds a number that is not its
	// own.
	g.mu.Lock()
	g.bound++
	number := g.bound
	g.mu.Unlock()

	if g.unbind != nil {
		g.unbind()
	}
	g.done, g.unbind = nil, nil
	if done := ctx.Done(); done != nil {
		g.done = done
		g.unbind = context.AfterFunc(ctx, func() { g.cancelled(number) })
	}
}

// cancelled stops the running execution if the context that was bound as the
// number-th is still the bound one. It runs on a goroutine of its own.
func (g *Guard) cancelled(number uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.bound == number {
		g.stopRunning(Context)
	}
}

// StopIfDone stops the running execution if ctx has ended or Stop(Closed) has
// been called, and reports whether the execution is stopped: then its script
// need not start. The executing goroutine calls it once after Arm: whoever came
// between the caller's own check and Arm found nothing to stop.
func (g *Guard) StopIfDone(ctx context.Context) bool {
	switch {
	case g.closing.Load():
		g.Stop(Closed)
	case ctx.Err() != nil:
		g.Stop(Context)
	}
	return g.word.Load() == fired
}
