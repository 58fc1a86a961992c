package findings

import (
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/ddsabench/ddsabench/executor"
)

// sarifFix is a fix as replacements: each deletes a region and puts text in its
// place. What ADD deletes is empty, what REMOVE inserts is not there.
func sarifFix(fix executor.Fix, file *sarif.ArtifactLocation) *sarif.Fix {
	change := sarif.NewArtifactChange().WithArtifactLocation(file)
	for _, e := range fix.Edits {
		end := e.Start
		if e.End != nil {
			end = *e.End
		}
		r := sarif.NewReplacement().WithDeletedRegion(region(e.Start, end))
		if e.Content != nil {
			r.WithInsertedContent(sarif.NewArtifactContent().WithText(*e.Content))
		}
		change.AddReplacement(r)
	}
	return sarif.NewFix().WithDescription(sarif.NewTextMessage(message(fix.Description))).AddArtifactChange(change)
}
