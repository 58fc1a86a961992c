package jsrt

// The flat memory, in words, as setup/1-memory.js has it: first the words of
// one run, in and out; from nameAt on the file's name (its length, then its
// UTF-16 units), which changes only with the file; then the run's nodes and
// matches; from free on what the run adds: nodes that it navigates to, then
// its findings.
const (
	wordMatches    = iota // number of matches
	wordNodes             // number of captured nodes
	wordNodesAt           // where their records are
	wordMatchesAt         // where the matches are
	wordFree              // first free word
	wordFindingsAt        // out: where the findings are
	wordViolations        // out: how many violations they hold
	wordOutput            // out: not 0 if the text ends with console output
	wordTampered          // out: set when the rule has changed intrinsics
	wordVisits            // out: calls of visit begun

	nameAt = 16
)

// maxMemory bounds the flat memory: 64 MiB. A rule with more matches in one
// file than fit is a memory error.
const maxMemory = 16 << 20
