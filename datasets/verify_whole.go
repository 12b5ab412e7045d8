package datasets

import (
	"path"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// checkWhole checks everything but the content of the data files: plan, target, files
// without a record, and derived files. files are the data files found on disk.
func (v *verifier) checkWhole(stored storedManifest, files []string, commits []*Commit) {
	if err := v.checkCanonical(PlanName, v.ds.h.encode()); err != nil {
		v.problem(ProblemPlan, noShard, PlanName, err)
	}
	m := newManifest(v.ds.h, commits)
	r := v.report
	r.Shards, r.Games, r.Rows, r.Bytes = m.Shards, m.Games, m.Rows, m.Bytes
	target, err := checkTarget(v.ds.d, v.ds.h.plan, commits)
	if err != nil {
		v.problem(ProblemTarget, noShard, targetName, err)
	}
	r.Missing = missingShards(v.ds.h.plan, commits, target)
	v.checkUnrecorded(files, commits)
	v.checkBookkeeping()
	current := v.checkDerived(m, stored, commits)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// checkUnrecorded reports data files that no record names. Those of a missing shard are
// pending: the next run compares them with what it makes.
func (v *verifier) checkUnrecorded(files []string, commits []*Commit) {
	recorded := map[string]bool{}
	for _, c := range commits {
		for _, f := range c.Files {
			recorded[f.Name] = true
		}
	}
	pending := map[string]bool{}
	for _, s := range v.report.Missing {
		for _, table := range tables {
			pending[v.ds.h.plan.dataName(table, s)] = true
		}
	}
	for _, name := range files {
		switch {
		case recorded[name]:
		case pending[name]:
			v.report.Pending = append(v.report.Pending, name)
		default:
			v.problem(ProblemForeign, noShard, name, fault.Corrupt("no record names this file"))
		}
	}
}

// checkBookkeeping lists temporary files and records of superseded shards.
func (v *verifier) checkBookkeeping() {
	for _, name := range v.list(supersededName) {
		_, ok := shardOfRecord(name)
		if name = path.Join(supersededName, name); !ok {
			v.problem(ProblemForeign, noShard, name, errNotRecord)
			continue
		}
		v.report.Leftovers = append(v.report.Leftovers, name)
	}
	for _, name := range v.list(disk.TempFolder) {
		v.report.Leftovers = append(v.report.Leftovers, path.Join(disk.TempFolder, name))
	}
}
