package checking

import (
	"slices"

	"selfplay/datasets/derived"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// derivedSteps returns steps for the derived files, to be done before and after all other
// steps. If every shard of the target stays, the files are written again. Otherwise they
// are dropped, because they list shards that are dropped: the manifest before anything
// else, since it vouches for what it lists.
func (r *repairer) derivedSteps() (before, after []step, err error) {
	why := r.whyOutdated()
	switch {
	case why == "":
		return nil, nil, nil
	case len(r.intact) > 0: // the manifest must stay: it vouches for their files
		return nil, nil, nil
	case len(r.report.Missing) > 0 || len(r.entries) == 0:
		before = r.drop(plan.ManifestName, noShard, why)
		after = append(r.drop(plan.CroissantName, noShard, why), r.drop(plan.CardName, noShard, why)...)
		return before, after, nil
	}
	after, err = r.writeSteps(why)
	return nil, after, err
}

// whyOutdated returns why the derived files do not describe the shards that stay, or ""
// if they do.
func (r *repairer) whyOutdated() string {
	i := slices.IndexFunc(r.v.report.Problems, func(p Problem) bool { return p.Kind == ProblemManifest || p.Kind == ProblemCard })
	switch {
	case i >= 0:
		return r.v.report.Problems[i].Error()
	case len(r.damaged) > 0:
		return "shards are dropped"
	}
	return ""
}

// writeSteps returns the steps that write the derived files. The first one drops the
// manifest if it vouches for documents that change.
func (r *repairer) writeSteps(why string) (steps []step, err error) {
	files, err := derived.Outdated(r.d, derived.Files(r.records.All.NewManifest(r.h, r.entries), r.h))
	for i, f := range files {
		steps = append(steps, step{Action{ActionWrite, f.Name, noShard, why}, func() error {
			if i == 0 && derived.ReplacesDocuments(files) {
				if err := record.DropManifest(r.d); err != nil {
					return err
				}
			}
			return r.d.ReplaceBy(f.Name, f.Write)
		}})
	}
	return steps, err
}
