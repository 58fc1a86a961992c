package flags

import (
	"errors"
	"fmt"
)

// A Status is what an evaluator knows apart from targeting keys and providers:
// for logs, metrics and status pages.
type Status struct {
	// Kill is the kill switch that is on, SourceKill or SourceFileKill, or
	// empty.
	Kill Source
	// Setting is what the strongest source is set to, and Source names it. The
	// provider and the default have no setting here. The kill switch goes
	// before it.
	Setting Setting
	Source  Source
	// ShadowSample is the share of files to compare, from 0 to 1.
	ShadowSample float64
	// Err says what is wrong, if anything: with the values that the program
	// was started with, or with the file as it is now. The first kind gives
	// legacy until the program is started anew. The second kind leaves the
	// file's last good content in force, except that the kill switch can still
	// be switched on; if there was none, it gives legacy.
	Err       error
	ErrorCode ErrorCode
}

// same compares errors by their text.
func (s Status) same(other Status) bool {
	a, b := fmt.Sprint(s.Err), fmt.Sprint(other.Err)
	s.Err, other.Err = nil, nil
	return s == other && a == b
}

// overlay has a stronger source's values go before what is there.
func (s *Status) overlay(v values, source, kill Source) {
	if v.setting != (Setting{}) {
		s.Setting, s.Source = v.setting, source
	}
	if v.kill {
		s.Kill = kill
	}
	if v.hasSample {
		s.ShadowSample = v.sample
	}
}

// A state is a status and the decision that follows from it. It is immutable.
type state struct {
	status Status
	// decision is final, unless the provider is to be asked or the setting is
	// a share.
	decision    Decision
	askProvider bool
}

// newState is the one place that knows who wins.
func newState(g given, f fileState, hasProvider bool) *state {
	s := &state{status: Status{Source: SourceDefault, ShadowSample: DefaultShadowSample, Err: g.err}}
	st := &s.status
	st.overlay(f.good, SourceFile, SourceFileKill)
	st.overlay(g.values, g.source, SourceKill)
	failed := g.failed // a source that never had a right value
	if failed != "" {
		st.ErrorCode = ParseError
	}
	if f.err != nil {
		st.Err = errors.Join(st.Err, fmt.Errorf("%s: %w", SourceFile, f.err))
		if failed == "" {
			st.ErrorCode = f.code
			if !f.read {
				failed = SourceFile
			}
		}
	}

	d := &s.decision
	*d = Decision{
		Value: Legacy, Variant: VariantLegacy,
		Source: st.Source, Reason: ReasonDefault, ShadowSample: st.ShadowSample,
	}
	switch {
	case st.Kill == SourceFileKill && f.err != nil:
		d.Source = st.Kill
		d.fail(f.code, fmt.Errorf("%s: %w", st.Kill, f.err))
	case st.Kill != "" && failed != SourceKill: // with a wrong value it is on, and an error
		d.Source, d.Reason = st.Kill, ReasonDisabled
	case failed != "":
		d.Source = failed
		d.fail(st.ErrorCode, st.Err)
	case st.Source == SourceDefault:
		s.askProvider = hasProvider
	default:
		d.set(st.Setting, ReasonStatic)
		if st.Source == SourceFile && st.Err != nil {
			d.fail(st.ErrorCode, st.Err)
		}
	}
	return s
}
