package flags

import "fmt"

// A Decision is the flag's value for one targeting key, and how it came about.
type Decision struct {
	// Value is the executor whose results count.
	Value Runtime
	// Variant says whether Value runs alone or compared with the other one.
	Variant Variant
	// Setting is what the flag is set to where it was decided; none by default
	// and under the kill switch.
	Setting Setting
	Source  Source
	Reason  Reason
	// ErrorCode is empty unless Reason is ERROR, and Err is nil unless it is.
	ErrorCode ErrorCode
	// Err names the source, the wrong value and the accepted ones. A command
	// ends with it as a usage error, unless Source is a kill switch; a service
	// may report it and go on.
	Err error
	// ShadowSample is the share, from 0 to 1, of files to compare where
	// Compared says so.
	ShadowSample float64
}

// Compared says that Value's executor is to be compared with Value.Other's.
func (d Decision) Compared() bool { return d.Variant == VariantShadow || d.Variant == VariantLive }

// String is the decision and what decided it, for people.
func (d Decision) String() string {
	text := string(d.Value)
	if d.Compared() {
		text += ", compared with " + string(d.Value.Other())
	}
	switch {
	case d.Err != nil:
		return fmt.Sprintf("%s (%v)", text, d.Err)
	case d.Setting.ByKey():
		return fmt.Sprintf("%s (%s: %s)", text, d.Source, d.Setting)
	}
	return fmt.Sprintf("%s (%s)", text, d.Source)
}

// set has a setting decide. A share waits for split.
func (d *Decision) set(s Setting, r Reason) {
	d.Setting, d.Reason = s, r
	if s.ByKey() {
		d.Reason = ReasonSplit
	} else {
		d.be(s.variant)
	}
}

// split has a share decide.
func (d *Decision) split(targetingKey string) {
	if targetingKey == "" {
		d.fail(TargetingKeyMissing, fmt.Errorf("%s: %s is a share, and there is no targeting key", d.Source, d.Setting))
		return
	}
	d.be(d.Setting.For(targetingKey))
}

func (d *Decision) be(v Variant) {
	d.Value, d.Variant = Legacy, v
	if v == VariantDDSA || v == VariantLive {
		d.Value = DDSA
	}
}

// fail leaves the value as it is.
func (d *Decision) fail(code ErrorCode, err error) {
	d.Reason, d.ErrorCode, d.Err = ReasonError, code, err
}

// A Source is what decided.
type Source string

// The sources, the strongest first.
const (
	SourceKill        Source = "kill switch " + KillEnv
	SourceFileKill    Source = "kill switch in " + FileEnv
	SourceOption      Source = "option " + Key
	SourceEnvironment Source = "environment " + Env
	SourceFile        Source = "file " + FileEnv
	SourceProvider    Source = "provider"
	SourceDefault     Source = "default"
	// SourceShadowSample never decides; its value can be wrong.
	SourceShadowSample Source = "environment " + ShadowSampleEnv
)

// A Reason is why the value is what it is, in OpenFeature's words.
type Reason string

// The reasons.
const (
	ReasonStatic         Reason = "STATIC"          // the setting names the value
	ReasonDefault        Reason = "DEFAULT"         // nothing was set
	ReasonSplit          Reason = "SPLIT"           // the setting is a share
	ReasonTargetingMatch Reason = "TARGETING_MATCH" // the provider has a rule for the key
	ReasonDisabled       Reason = "DISABLED"        // the kill switch is on, or the provider's flag is off
	ReasonError          Reason = "ERROR"           // something is wrong; see ErrorCode
	ReasonUnknown        Reason = "UNKNOWN"         // the provider gave none of these
)

// An ErrorCode is the kind of an error, in OpenFeature's words.
type ErrorCode string

// The error codes. Those not given by this package come from providers.
const (
	ProviderNotReady    ErrorCode = "PROVIDER_NOT_READY"
	ProviderFatal       ErrorCode = "PROVIDER_FATAL"
	FlagNotFound        ErrorCode = "FLAG_NOT_FOUND"
	ParseError          ErrorCode = "PARSE_ERROR" // a value that is none of the flag's
	TypeMismatch        ErrorCode = "TYPE_MISMATCH"
	TargetingKeyMissing ErrorCode = "TARGETING_KEY_MISSING" // the setting is a share, and there is no key
	InvalidContext      ErrorCode = "INVALID_CONTEXT"
	General             ErrorCode = "GENERAL" // the file cannot be read, or a provider failed
)
