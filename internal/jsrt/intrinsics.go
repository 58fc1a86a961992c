package jsrt

import (
	"fmt"
	"strings"
)

// watched are the intrinsics that are not frozen, with their own data
// properties and the well-known symbols that they lack; @ stands for a symbol.
// setup/0-intrinsics.js locks what they have besides.
var watched = []struct{ object, keys string }{
	{"Object.prototype", "__defineGetter__ __defineSetter__ hasOwnProperty __lookupGetter__ __lookupSetter__ isPrototypeOf propertyIsEnumerable toString valueOf toLocaleString constructor @asyncIterator @hasInstance @isConcatSpreadable @iterator @match @matchAll @replace @search @species @split @toPrimitive @toStringTag @unscopables"},
	{"Function.prototype", "apply bind call toString constructor"},
	{"Array.prototype", "length at concat copyWithin fill find findIndex findLast findLastIndex lastIndexOf pop push reverse shift unshift slice sort splice includes indexOf join keys entries values forEach filter flat flatMap map every some reduce reduceRight toLocaleString toString constructor @isConcatSpreadable @iterator @toPrimitive @toStringTag @unscopables"},
	{"RegExp.prototype", "exec compile toString test constructor @isConcatSpreadable @match @matchAll @replace @search @split @toPrimitive @toStringTag"},
	{"String.prototype", "anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fontcolor fontsize fixed includes indexOf italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice small split strike sub substr substring sup startsWith toString trim trimStart trimLeft trimEnd trimRight toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase valueOf constructor @iterator"},
	{"Promise.prototype", "then catch finally constructor @toStringTag"},
	{"Error.prototype", "toString name message constructor"},
	{"AggregateError.prototype", "name message constructor"},
	{"EvalError.prototype", "name message constructor"},
	{"RangeError.prototype", "name message constructor"},
	{"ReferenceError.prototype", "name message constructor"},
	{"SyntaxError.prototype", "name message constructor"},
	{"TypeError.prototype", "name message constructor"},
	{"URIError.prototype", "name message constructor"},
	{"Object.getPrototypeOf([][Symbol.iterator]())", "next @toStringTag"},
}

// watchedScript declares for setup/0-intrinsics.js the watched objects with
// their keys, and same(), which compares each value to what it was. It is
// spelled out because V8 folds comparisons with constant names into next to
// nothing, and cannot do that in a loop.
func watchedScript() string {
	var list, values, same strings.Builder
	n := 0
	for i, w := range watched {
		fmt.Fprintf(&list, "[%s, [", w.object)
		fmt.Fprintf(&values, "const o%d = %s;\n", i, w.object)
		for _, key := range strings.Fields(w.keys) {
			name, access := fmt.Sprintf("%q", key), "."+key
			if symbol, ok := strings.CutPrefix(key, "@"); ok {
				name = "Symbol." + symbol
				access = "[Symbol." + symbol + "]"
			}
			fmt.Fprintf(&list, "%s, ", name)
			fmt.Fprintf(&values, "const v%d = o%d%s;\n", n, i, access)
			fmt.Fprintf(&same, "&& o%d%s === v%d\n", i, access, n)
			n++
		}
		list.WriteString("]],\n")
	}
	return "function watch() {\n" + values.String() +
		"return { watched: [\n" + list.String() + "],\nsame() { return true\n" + same.String() + "; } };\n}\n"
}
