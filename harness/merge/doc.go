// Package merge joins the records of comparisons that ran on the shards of one
// corpus, here or on other machines, into one record of the whole. Findings and
// counts are exactly those of a comparison of the whole; times are sums, as if
// the shards had run one after the other, and peaks the largest of any shard.
//
// Reports of analyze are joined by package findings.
package merge
