package rules

import (
	"strings"
	"unicode"
)

// A decoder makes sets and rules of one file's value tree.
type decoder struct {
	*loader
	file string
	// encoded says that the file is in the JSON form: long texts are base64,
	// checksum and tests are required.
	encoded bool
	// name is the rule's, for faults; broken that the rule has a fault.
	name   string
	broken bool
}

func (d *decoder) fail(at *value, format string, args ...any) {
	d.broken = true
	d.fault(d.file, at, d.name, format, args...)
}

// sets reads a whole file: in the JSON form an array of sets, in YAML a set, a
// rule, or a list of either. Rules outside a set share one without a name.
func (d *decoder) sets(v *value) []Set {
	if d.encoded && v.kind != list {
		d.fail(v, "want an array of rule sets, not %v", v.kind)
		return nil
	}
	items := v.items
	if v.kind != list {
		items = []*value{v}
	}
	var sets []Set
	var loose Set
	for _, item := range items {
		switch {
		case !d.encoded && item.kind == object && item.fields["rules"] == nil:
			d.rule(item, &loose)
		case d.want(item, object, "a rule set"):
			set, ok := d.head(item)
			for _, r := range d.list(item, "rules", present) {
				d.rule(r, set)
			}
			if ok && !set.empty() {
				sets = append(sets, *set)
			}
		}
	}
	if !loose.empty() {
		sets = append(sets, loose)
	}
	return sets
}

// head reads what a set has besides its rules, and says if that is sound.
func (d *decoder) head(v *value) (set *Set, ok bool) {
	d.name, d.broken = "", false
	name := d.checkedName(v, present)
	return &Set{
		Name:             name,
		ShortDescription: d.longText(v, "short_description", optional),
		Description:      d.longText(v, "description", optional),
	}, !d.broken
}

// rule reads a rule into set, unless it is broken or to be skipped.
func (d *decoder) rule(v *value, set *Set) {
	d.name, d.broken = "", false
	if !d.want(v, object, "a rule") {
		return
	}
	name := d.checkedName(v, filled)
	if name != "" && set.Name != "" && !strings.HasPrefix(name, set.Name+"/") {
		name = set.Name + "/" + name
	}
	d.name = name
	if reason := d.skip(v); reason != "" && !d.broken {
		set.Skipped = append(set.Skipped, Skipped{File: d.file, Rule: name, Reason: reason})
		return
	}
	r := d.body(v)
	if other, taken := d.names[name]; taken && name != "" {
		d.fail(v.fields["name"], "the name is taken by a rule in %s", other)
	}
	if d.broken {
		return
	}
	d.names[name] = d.file
	set.Rules = append(set.Rules, r)
}

// inJSON is the need of fields that only the JSON form demands.
func (d *decoder) inJSON() need {
	if d.encoded {
		return filled
	}
	return optional
}

// checkedName is the field name, fit for tables and terminals.
func (d *decoder) checkedName(v *value, n need) string {
	name := d.text(v, "name", n)
	if strings.TrimSpace(name) != name || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		d.fail(v.fields["name"], "name %q has characters that do not print, or spaces at an end", name)
		return ""
	}
	return name
}
