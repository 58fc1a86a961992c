package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// values are what one source says. The zero value says nothing.
type values struct {
	setting   Setting
	kill      bool
	sample    float64
	hasSample bool
}

// A given is what the program was started with, the file apart.
type given struct {
	values
	source Source // of the setting
	// failed is the first source whose value is wrong, and err tells of all.
	failed Source
	err    error
}

func (c Config) given() (g given) {
	fail := func(source Source, err error) {
		if err == nil {
			return
		}
		g.err = errors.Join(g.err, fmt.Errorf("%s: %w", source, err))
		if g.failed == "" {
			g.failed = source
		}
	}
	var err error
	g.kill, err = parseSwitch(c.Kill)
	fail(SourceKill, err)
	for _, set := range []struct { // the strongest first
		source Source
		text   string
	}{{SourceOption, c.Option}, {SourceEnvironment, c.Environment}} {
		if set.text == "" {
			continue
		}
		setting, err := ParseSetting(set.text)
		fail(set.source, err)
		if g.source == "" {
			g.setting, g.source = setting, set.source
		}
	}
	if c.ShadowSample != "" {
		g.sample, err = parseSample(c.ShadowSample)
		g.hasSample = err == nil
		fail(SourceShadowSample, err)
	}
	return g
}

// parseSwitch reads the value of a kill switch. With an error it is on, so that
// a slip of the pen in an emergency does no harm.
func parseSwitch(text string) (on bool, err error) {
	switch strings.ToLower(text) {
	case "1", "true", "yes", "on":
		return true, nil
	case "", "0", "false", "no", "off":
		return false, nil
	}
	return true, fmt.Errorf("%.40q is neither true nor false", text)
}

// parseSample reads a share from 0 to 1.
func parseSample(text string) (float64, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) { // NaN is not either
		return 0, fmt.Errorf("%.40q is no share; use a number from 0 to 1", text)
	}
	return share, nil
}
