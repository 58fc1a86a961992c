// Package rules loads, checks and tests rule sets: the built-in ones, folders
// and files of plain-text YAML, and the JSON arrays that the original analyzer
// reads with -r.
//
// Loading judges everything that can be judged without running a rule, and
// reports every fault with its file, rule and place. It does not compile
// queries (package syntax does) and does not judge JavaScript syntax (V8 does
// when it compiles): it only looks for the function visit.
package rules
