package measure

import (
	"context"
	"os"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/harness"
)

// maxTimedOut bounds the list of timed-out pairs; Outcomes has their number.
const maxTimedOut = 1000

// progressEvery is the least time between two reports of progress.
const progressEvery = 200 * time.Millisecond

// A tally folds results, in the order of the files, into figures. Of a file
// that is done it keeps nothing.
type tally struct {
	spec    JobSpec
	env     Env
	events  Events
	figures harness.Figures
	digest  *digest
	counts  map[executor.Language]*harness.Counts
	outcome [executor.OutcomeCount]uint64
	latency *hdrhistogram.Histogram
	said    time.Time

	family        *family
	before, after use // the job
}

func newTally(spec JobSpec, env Env, events Events) *tally {
	if events.Ready == nil {
		events.Ready = func() {}
	}
	if events.Progress == nil {
		events.Progress = func(int, int) {}
	}
	if events.Finding == nil || !spec.Findings {
		events.Finding = nil
	}
	return &tally{
		spec: spec, env: env, events: events,
		digest:  newDigest(env.Rules),
		counts:  map[executor.Language]*harness.Counts{},
		latency: newLatency(),
		family:  newFamily(os.Getpid(), spec.Processes),
	}
}

// run does the job between two looks at what the process uses.
func (t *tally) run(ctx context.Context, pool *executor.Pool, workers []worker) error {
	job := executor.Job{
		Files: t.env.Files,
		Rules: t.env.Rules,
		Load: func(_ context.Context, w, i int) (*executor.File, error) {
			return workers[w].load(t.env, i)
		},
		Emit: func(r *executor.FileResult) error { t.add(r); return nil },
	}
	f := &t.figures
	f.Memory.PeakReset = t.family.resetPeak()
	t.events.Ready() // peaks that the parent sees from now on are the job's
	var err error
	if t.before, err = t.family.use(); err != nil {
		return err
	}
	start := time.Now()
	if err := pool.Run(ctx, job); err != nil {
		return err
	}
	f.Wall = time.Since(start)
	if t.after, err = t.family.use(); err != nil {
		return err
	}
	return t.family.readMemory(&f.Memory)
}

// load reads and parses a file; with an error the file has only its name.
func (w *worker) load(env Env, i int) (*executor.File, error) {
	language, path := env.Entry(i)
	name := &executor.File{Path: path, Language: language}
	text, err := env.Read(i, w.buf)
	if err != nil {
		return name, err
	}
	w.buf = text[:0]
	file, err := w.parser.Parse(path, language, text)
	if err != nil {
		return name, err
	}
	return file, nil
}

// add folds in one file.
func (t *tally) add(r *executor.FileResult) {
	c := t.counts[r.Language]
	if c == nil {
		c = &harness.Counts{}
		t.counts[r.Language] = c
	}
	c.Files++
	t.figures.Load += r.Load
	t.figures.Parse += r.Parsed.Parse
	t.figures.Match += r.Parsed.Match
	if r.Err != nil {
		t.figures.Unparsed++
	}
	for i := range r.Results {
		t.addPair(c, r, &r.Results[i])
	}
	t.digest.add(r)
	if t.events.Finding != nil {
		t.digest.findings(r, t.spec.Arm, t.events.Finding)
	}
	if now := time.Now(); now.Sub(t.said) >= progressEvery || r.Index+1 == t.env.Files {
		t.said = now
		t.events.Progress(r.Index+1, t.env.Files)
	}
}

func (t *tally) addPair(c *harness.Counts, r *executor.FileResult, p *executor.PairResult) {
	c.Pairs++
	if p.Result.Entered {
		c.Executions++
		record(t.latency, p.Result.Elapsed)
	}
	c.Visits += uint64(p.Result.Visits)
	c.Violations += uint64(len(p.Result.Violations))
	f := &t.figures
	f.InExecutions += p.Result.Elapsed
	f.InV8 += p.Result.InV8
	f.Query += p.Result.Query
	o := outcomeOf(p.Err)
	t.outcome[o]++
	if o == executor.Timeout && len(f.TimedOut) < maxTimedOut {
		f.TimedOut = append(f.TimedOut, harness.Pair{Language: r.Language, Path: r.Path, Rule: p.Rule.Name})
	}
}

// finish returns the figures of what was added. The executors are closed.
func (t *tally) finish() (*harness.Figures, error) {
	f := &t.figures
	if err := t.family.ended(&t.after); err != nil {
		return nil, err
	}
	f.Before = t.before.sum()
	f.Job = t.after.sum().Sub(f.Before)
	f.Latency = latencyOf(t.latency)
	f.Findings = t.digest.sum()
	SortPairs(f.TimedOut)
	f.Languages = map[executor.Language]harness.Counts{}
	for language, c := range t.counts {
		f.Languages[language] = *c
	}
	f.Outcomes = map[string]uint64{}
	for o, n := range t.outcome {
		if n > 0 {
			f.Outcomes[executor.Outcome(o).String()] = n
		}
	}
	return f, nil
}
