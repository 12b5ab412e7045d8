package checking

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// step is an action with the function that does it.
type step struct {
	Action
	do func() error
}

// drop returns the step that removes a file. It returns none if the file does not exist or
// another step drops it.
func (r *repairer) drop(name string, shard int, why string) []step {
	if _, err := r.d.FS.Lstat(r.d.Path(name)); errors.Is(err, fs.ErrNotExist) || r.dropped[name] {
		return nil
	}
	r.dropped[name] = true
	return []step{r.removal(ActionDropFile, name, shard, why)}
}

// removal returns a step that takes a file out of the dataset. It is kept until the dataset is whole again.
func (r *repairer) removal(kind ActionKind, name string, shard int, why string) step {
	return step{Action{kind, name, shard, why}, func() error { return r.d.SetAside(name) }}
}

// dropIntactRecords drops the damaged records of shards with intact files.
func (r *repairer) dropIntactRecords() (steps []step) {
	for _, s := range slices.Sorted(maps.Keys(r.intact)) {
		steps = append(steps, r.drop(plan.CommitName(s), s, "damaged")...)
	}
	return steps
}

// dropDamaged drops the files of damaged shards, and then their records. After a kill in between, a run still sees
// the damage, and compares nothing that it makes with a damaged file.
func (r *repairer) dropDamaged() (steps []step) {
	files := map[int][]string{}
	for _, name := range r.v.files {
		if s, _, ok := r.file.Plan.ShardOfFile(name); ok {
			files[s] = append(files[s], name)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(r.damaged)) {
		for _, name := range r.filesOf(s, files[s]) {
			steps = append(steps, r.drop(name, s, "its shard is dropped")...)
		}
		if found, _ := r.d.Exists(plan.CommitName(s)); found {
			steps = append(steps, r.removal(ActionDropRecord, plan.CommitName(s), s, r.damaged[s]))
		}
	}
	return steps
}

// filesOf returns the data files of a damaged shard: those that its record names, all that were found if the record
// is damaged.
func (r *repairer) filesOf(s int, found []string) []string {
	if c, err := record.Read(r.d, r.file, s); err == nil {
		return r.file.Plan.DataNames(s, c.Games)
	}
	return found
}

// dropReplaced drops the data files of shards that have more games by now. A damaged longer shard proves nothing.
func (r *repairer) dropReplaced() (steps []step) {
	for _, name := range r.v.report.Leftovers {
		if s, _, ok := r.file.Plan.ShardOfFile(name); ok && r.damaged[s] == "" {
			steps = append(steps, r.drop(name, noShard, "its shard has more games now")...)
		}
	}
	return steps
}

// dropJournals drops the journals of shards whose games are not those of the players. The
// next run would take these games over.
func (r *repairer) dropJournals() (steps []step, err error) {
	wrong := map[int]string{}
	for _, p := range r.v.report.Problems {
		if p.Kind == ProblemGames {
			wrong[p.Shard] = p.Error()
		}
	}
	paths, err := journal.Paths(r.d)
	for _, name := range paths {
		if s, ok := journal.ShardOf(path.Base(name)); ok && wrong[s] != "" {
			steps = append(steps, r.drop(name, s, wrong[s])...)
		}
	}
	return steps, err
}

// dropForeign drops files that no record names, if their name is one that this package
// uses. Other files stay, and damaged networks and answers, which cannot be
// made again.
func (r *repairer) dropForeign() (steps []step) {
	for _, p := range r.v.report.Problems {
		switch folder := path.Dir(p.Path); {
		case p.Kind == ProblemNetwork, p.Kind == ProblemAnswers:
			r.report.Left = append(r.report.Left, p)
		case p.Kind != ProblemForeign || r.keep[p.Path]:
		case folder == plan.CommitsFolder || folder == journal.Folder && journal.IsName(path.Base(p.Path)) || r.isDataName(p.Path):
			steps = append(steps, r.drop(p.Path, noShard, p.Message)...)
		default:
			r.report.Left = append(r.report.Left, p)
		}
	}
	return steps
}

// isDataName reports whether a data file may have this name, in either split.
func (r *repairer) isDataName(name string) bool {
	_, _, ok := r.file.Plan.ShardOfFile(name)
	return ok
}

// dropPending drops the data files of missing shards that have the games of the target: a run compares what it makes
// with them. Those with fewer games are in no run's way.
func (r *repairer) dropPending(target uint64) (steps []step) {
	for _, name := range r.v.report.Pending {
		s, games, _ := r.file.Plan.ShardOfFile(name)
		if _, want := r.file.Plan.GamesOf(s, target); games == want && !r.keep[name] {
			steps = append(steps, r.drop(name, noShard, "no record names it")...)
		}
	}
	return steps
}

// resetTarget writes the target if it is damaged or missing.
func (r *repairer) resetTarget(games uint64) []step {
	i := slices.IndexFunc(r.v.report.Problems, func(p Problem) bool { return p.Kind == ProblemTarget })
	if i < 0 {
		return nil
	}
	why := fmt.Sprintf("%s; set it to %d games", r.v.report.Problems[i].Message, games)
	if games == 0 {
		return r.drop(plan.TargetName, noShard, why)
	}
	return []step{{Action{ActionWrite, plan.TargetName, noShard, why}, func() error {
		return r.d.Replace(plan.TargetName, record.EncodeTarget(games))
	}}}
}

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
	files, err := record.Outdated(r.d, record.DerivedFiles(r.records.All.NewManifest(r.file, r.entries), r.file))
	for i, f := range files {
		steps = append(steps, step{Action{ActionWrite, f.Name, noShard, why}, func() error {
			if i == 0 && record.ReplacesDocuments(files) {
				if err := record.DropManifest(r.d); err != nil {
					return err
				}
			}
			return r.d.ReplaceBy(f.Name, f.Write)
		}})
	}
	return steps, err
}
