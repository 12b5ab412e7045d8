package checking

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

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
	return []step{{Action{ActionDropFile, name, shard, why}, func() error {
		return errors.Join(r.d.Remove(name), r.d.SyncFolder(name))
	}}}
}

// dropIntactRecords drops the damaged records of shards with intact files.
func (r *repairer) dropIntactRecords() (steps []step) {
	for _, s := range slices.Sorted(maps.Keys(r.intact)) {
		steps = append(steps, r.drop(plan.CommitName(s), s, "damaged")...)
	}
	return steps
}

// dropDamaged supersedes the damaged shards and drops their files.
func (r *repairer) dropDamaged() (steps []step) {
	for _, s := range slices.Sorted(maps.Keys(r.damaged)) {
		if found, _ := r.d.Exists(plan.CommitName(s)); found {
			steps = append(steps, step{Action{ActionDropRecord, plan.CommitName(s), s, r.damaged[s]}, func() error { return record.DropRecord(r.d, s) }})
		}
		for _, name := range r.h.Plan.PossibleNames(s) {
			steps = append(steps, r.drop(name, s, "its shard is dropped")...)
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
// uses. Other files stay, and damaged networks, which cannot be made again.
func (r *repairer) dropForeign() (steps []step) {
	for _, p := range r.v.report.Problems {
		switch folder := path.Dir(p.Path); {
		case p.Kind == ProblemNetwork:
			r.report.Left = append(r.report.Left, p)
		case p.Kind != ProblemForeign || r.keep[p.Path]:
		case folder == plan.CommitsFolder || folder == plan.SupersededFolder || slices.Contains(plan.Tables[:], folder) && r.isDataName(path.Base(p.Path)):
			steps = append(steps, r.drop(p.Path, noShard, p.Message)...)
		default:
			r.report.Left = append(r.report.Left, p)
		}
	}
	return steps
}

// isDataName reports whether a data file may have this name, in either split.
func (r *repairer) isDataName(name string) bool {
	split, rest, _ := strings.Cut(name, "-")
	number, format, _ := strings.Cut(rest, ".")
	_, ok := plan.ShardOfRecord(number + ".json")
	return ok && (split == plan.Train || split == plan.Validation) && format == r.h.Plan.Format
}

// dropPending drops the data files of missing shards.
func (r *repairer) dropPending() (steps []step) {
	for _, name := range r.v.report.Pending {
		if !r.keep[name] {
			steps = append(steps, r.drop(name, noShard, "its shard has no record")...)
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
