package gitignore

import "strings"

// match reports whether a glob matches a whole name, byte by byte:
//
//	?      one byte, but no slash
//	*      any bytes, but no slash
//	**/    any number of folders, also none, where a path's part begins
//	/**    whatever is below
//	[...]  one byte of a class, but no slash
//	\x     x itself
//
// After a mismatch it goes on behind the last star with one byte more, else
// behind the last "**/" with one folder more. Going further back could not help.
func match(glob, name string) bool {
	type place struct{ glob, name int }
	const none = -1
	star, folders := place{glob: none}, place{glob: none}
	g, n := 0, 0
	for g < len(glob) || n < len(name) {
		if g < len(glob) && glob[g] == '*' {
			end := g + 1
			for end < len(glob) && glob[end] == '*' {
				end++
			}
			deep := end-g > 1 && (g == 0 || glob[g-1] == '/')
			switch {
			case deep && end == len(glob):
				return true
			case deep && glob[end] == '/':
				g = end + 1
				star, folders = place{glob: none}, place{g, n}
			default:
				g = end
				star = place{g, n}
			}
			continue
		}
		if next, ok := matchByte(glob, g, name, n); ok {
			g, n = next, n+1
			continue
		}
		switch {
		case star.glob != none && star.name < len(name) && name[star.name] != '/':
			star.name++
			g, n = star.glob, star.name
		case folders.glob != none && strings.Contains(name[folders.name:], "/"):
			folders.name += strings.Index(name[folders.name:], "/") + 1
			star = place{glob: none}
			g, n = folders.glob, folders.name
		default:
			return false
		}
	}
	return true
}

// matchByte matches one byte of the name and returns where the glob goes on.
func matchByte(glob string, g int, name string, n int) (next int, ok bool) {
	if g == len(glob) || n == len(name) {
		return 0, false
	}
	switch glob[g] {
	case '?':
		return g + 1, name[n] != '/'
	case '[':
		next, ok = matchClass(glob, g+1, name[n])
		return next, ok && name[n] != '/'
	case '\\':
		g++
		if g == len(glob) {
			return 0, false
		}
	}
	return g + 1, glob[g] == name[n]
}
