// Package corpus is the files that rules run on: the three tiers, picked from
// public npm packages and the same to the byte on every machine, or any folder.
// It picks, fetches, checks and streams files. It does not parse them and knows
// nothing of rules or runs.
//
// A tier is fetched once: Fetch downloads the packages, selects the files and
// writes them into one pack. After that, opening a tier takes well under a
// second and reading a file is one read of the pack, so that many short-lived
// processes can use it and memory does not grow with the corpus.
package corpus
