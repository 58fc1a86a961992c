// Package syntax turns files into trees and trees into rules' matches. Compile
// makes a Set of rules; each worker takes a Parser from it, which parses one
// file after the other and finds the matches of all rules in one pass.
//
// The pass has a budget of time. On a file where it runs out, or where so many
// matches are in progress that tree-sitter drops some, the pass's matches are
// dropped and each rule runs its own query, under its own time, when it is
// asked for its matches. So a rule whose query is too broad harms only itself.
//
// Predicates are evaluated here: #eq?, #match?, #any-of?, their not- forms, and
// the any- forms of the first two, with package regexp's syntax. On a capture
// of several nodes the plain form holds if it holds for each node, and the any-
// form if it holds for one. #set! does nothing. Other predicates do nothing
// either, and Set.Warnings names them.
//
// Limits: a query has at most 8,192 matches in progress, and a file's matches
// take at most 64 MiB; a rule's own query that needs more is ErrTooManyMatches.
// A tree deeper than 60,000 nodes is ErrTooDeep.
//
// The package does not read files, choose them, or run rules.
package syntax
