// Package chart draws pictures as SVG elements to put into a page. It knows
// nothing of records: what is drawn comes as numbers and words.
package chart
