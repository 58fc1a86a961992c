package gitignore

import "strings"

// namedClasses are [:alpha:] and the like: pairs of first and last byte.
var namedClasses = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f",
	"digit": "09", "graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~",
	"space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// matchClass matches c with the class whose content starts at i, and returns
// the place behind it. A class without an end matches nothing.
func matchClass(glob string, i int, c byte) (next int, ok bool) {
	negated := i < len(glob) && (glob[i] == '!' || glob[i] == '^')
	if negated {
		i++
	}
	found := false
	from := -1 // the byte that a range may start with
	for start := i; i < len(glob); i++ {
		b := glob[i]
		switch {
		case b == ']' && i > start:
			return i + 1, found != negated
		case b == '-' && from >= 0 && i+1 < len(glob) && glob[i+1] != ']':
			i++
			if glob[i] == '\\' {
				i++
			}
			if i == len(glob) {
				return 0, false
			}
			found = found || from <= int(c) && c <= glob[i]
			from = -1
			continue
		case b == '[' && strings.HasPrefix(glob[i+1:], ":"):
			end := strings.IndexByte(glob[i+2:], ']')
			if end < 0 {
				return 0, false
			}
			name, named := strings.CutSuffix(glob[i+2:i+2+end], ":")
			if !named { // an ordinary set that holds "["
				break
			}
			ranges, known := namedClasses[name]
			if !known {
				return 0, false
			}
			for ; ranges != ""; ranges = ranges[2:] {
				found = found || ranges[0] <= c && c <= ranges[1]
			}
			i += 2 + end
			from = -1
			continue
		case b == '\\':
			i++
			if i == len(glob) {
				return 0, false
			}
			b = glob[i]
		}
		found = found || b == c
		from = int(b)
	}
	return 0, false
}
