// Package suppress honours the comments by which a file's author turns rules
// off:
//
//	// no-dd-sa                       all rules
//	// no-dd-sa:set/rule              this rule
//	/* no-dd-sa set/one, set/two */   these rules
//
// On line 1 a comment counts for the whole file, elsewhere for the next line
// only: for violations that start there. "datadog-disable" means the same.
//
// The forms are the original analyzer's. As there, the text is read by lines,
// not by tokens: a string that looks like such a comment counts as one, and a
// comment may stand behind code. The keyword has to be the first word of a "//"
// or "/*" comment; in "/** no-dd-sa */" it is not. Of what follows, up to "*/"
// or the end of the line, words with a slash are full rule names, separated by
// spaces, commas or colons; other words are remarks. So a rule is named with its
// set, and "// no-dd-sa no-var" turns all rules off.
//
// Two differences are on purpose. The original looks for names in the whole
// line, so that a slash in the code before the comment (a / b) makes it count
// for no rule; here only the comment's own words matter. And the keyword has to
// end there: "// no-dd-sandbox" is no such comment.
//
// Job applies the comments to a whole job. The package knows executors only by their results. What was suppressed has
// been executed and measured like anything else.
package suppress
