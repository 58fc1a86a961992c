// Package findings writes what an analysis found, in the forms that people and
// other programs read: table, json, sarif, csv and markdown. All of them hold
// the same findings, which are the violations and what went wrong, in the order
// of the files and of the rules.
//
// A form gets one file's results after the other and keeps none of them, sarif
// apart: its library builds the whole report before it writes it.
//
// Paths, messages and errors come from files and rules that nobody vouches for.
// No form lets them reach a terminal's controls, a spreadsheet's formulas or a
// page's markup. The package runs nothing and decides nothing.
package findings
