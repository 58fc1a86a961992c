package jsrt

import (
	"github.com/ddsabench/ddsabench/executor"
	"github.com/ddsabench/ddsabench/internal/v8"
)

// maxPrograms bounds how many rules have a context at the same time.
const maxPrograms = 256

// maxTampered bounds how many rules are remembered for changing intrinsics.
const maxTampered = 1024

// A program is a rule ready to run in a context of its own.
type program struct {
	context  *v8.Context
	function *v8.Function // nil until compiled
	used     uint64       // when it last ran, in executions of the runtime
}

func (p *program) dispose() {
	// Both fail only for an isolate in use, and the runtime uses its own.
	if p.function != nil {
		_ = p.function.Dispose()
	}
	_ = p.context.Dispose()
}

// program returns rule's program; its context is made at the first execution.
// That runs no code of the rule's, so it need not be inside the deadline, and it
// should not be: V8 does not survive a termination in the middle of it.
func (r *Runtime) program(rule *executor.Rule, captures []string) (*program, error) {
	p := r.programs[rule]
	if p == nil {
		var err error
		if p, err = r.newProgram(rule, captures); err != nil {
			return nil, err
		}
		if len(r.programs) >= maxPrograms {
			r.drop(r.leastUsed())
		}
		r.programs[rule] = p
	}
	p.used = r.executions.Load()
	return p, nil
}

func (r *Runtime) newProgram(rule *executor.Rule, captures []string) (*program, error) {
	config, err := config(rule, captures, r.limits)
	if err != nil {
		return nil, err
	}
	context, err := r.isolate.NewContext(config)
	if err != nil {
		return nil, err
	}
	return &program{context: context}, nil
}

// compile compiles the rule, unless that has been done. It belongs inside the
// deadline.
func (p *program) compile(rule *executor.Rule) (err error) {
	if p.function == nil {
		p.function, err = p.context.Compile(source(rule))
	}
	return err
}

// drop throws a rule's context away; its next execution makes a new one.
func (r *Runtime) drop(rule *executor.Rule) {
	if p := r.programs[rule]; p != nil {
		p.dispose()
		delete(r.programs, rule)
	}
}

func (r *Runtime) leastUsed() *executor.Rule {
	var rule *executor.Rule
	for candidate, p := range r.programs {
		if rule == nil || p.used < r.programs[rule].used {
			rule = candidate
		}
	}
	return rule
}
