package flags

import (
	"fmt"
	"strconv"
	"strings"
)

// A Variant is one of the ways in which an execution can be treated.
type Variant string

// The variants.
const (
	VariantLegacy Variant = "legacy" // legacy answers
	VariantDDSA   Variant = "ddsa"   // ddsa answers
	VariantShadow Variant = "shadow" // legacy answers, ddsa is compared
	VariantLive   Variant = "live"   // ddsa answers, legacy is compared
)

// A Setting is a value that the flag can be set to. The zero Setting is none.
type Setting struct {
	variant Variant // empty: by share
	share   int     // buckets whose keys get ddsa, of Buckets
	text    string
}

// String is the setting in its one spelling, such as "ddsa" or "12.5%"; empty
// if there is none.
func (s Setting) String() string { return s.text }

// ByKey says that the setting is a share: what it means depends on the
// targeting key.
func (s Setting) ByKey() bool { return s.variant == "" && s.text != "" }

// For returns the variant for a targeting key. It is stable: as a share grows,
// keys are only added to those that get ddsa.
func (s Setting) For(targetingKey string) Variant {
	if !s.ByKey() {
		return s.variant
	}
	if Bucket(Key, targetingKey) < s.share {
		return VariantDDSA
	}
	return VariantLegacy
}

// ParseSetting returns the setting that text spells: legacy, ddsa, shadow,
// live, or a share from 0% to 100% with at most two decimals. Text is taken as
// it is: no other case, no spaces. The error is a *SettingError.
func ParseSetting(text string) (Setting, error) {
	switch v := Variant(text); v {
	case VariantLegacy, VariantDDSA, VariantShadow, VariantLive:
		return Setting{variant: v, text: text}, nil
	}
	if share, ok := parseShare(text); ok {
		return Setting{share: share, text: strconv.FormatFloat(float64(share)/100, 'f', -1, 64) + "%"}, nil
	}
	return Setting{}, &SettingError{text}
}

// parseShare reads a percentage as a number of buckets.
func parseShare(text string) (buckets int, ok bool) {
	number, percent := strings.CutSuffix(text, "%")
	whole, fraction, point := strings.Cut(number, ".")
	if !percent || !digits(whole, 3) || point && !digits(fraction, 2) || len(whole) > 1 && whole[0] == '0' {
		return 0, false
	}
	buckets, _ = strconv.Atoi(whole + (fraction + "00")[:2])
	return buckets, buckets <= Buckets
}

// digits says that text is one to most digits.
func digits(text string, most int) bool {
	return text != "" && len(text) <= most && strings.Trim(text, "0123456789") == ""
}

// A SettingError is a text that is no setting of the flag.
type SettingError struct{ Text string }

// Error names the text, cut where it is long, and what is accepted.
func (e *SettingError) Error() string {
	return fmt.Sprintf("unknown runtime %.40q; use legacy, ddsa, a share such as 5%%, shadow or live", e.Text)
}
