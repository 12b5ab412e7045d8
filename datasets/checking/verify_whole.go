package checking

import (
	"path"
	"slices"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// checkWhole checks everything but the content of the data files: plan, target, files
// without a record, and derived files. files are the data files found on disk.
func (v *verifier) checkWhole(stored record.StoredManifest, files []string, records *record.Set) {
	if err := v.checkCanonical(plan.FileName, v.h.Encode()); err != nil {
		v.problem(ProblemPlan, noShard, plan.FileName, err)
	}
	v.report.Totals = records.All.Totals
	v.checkFolders()
	v.checkBookkeeping()
	v.checkNetworks()
	if v.isRead(plan.CommitsFolder) {
		v.checkShardList(stored, files, records)
	}
}

// checkShardList compares target, data files and derived files with the list of the committed
// shards. All records must have been read: the shard of any other one would seem to be lost.
func (v *verifier) checkShardList(stored record.StoredManifest, files []string, records *record.Set) {
	r := v.report
	target, err := record.CheckTarget(v.d, v.h.Plan, records.End(v.h.Plan))
	if err != nil {
		v.problem(ProblemTarget, noShard, plan.TargetName, err)
	}
	if v.isRead(plan.TargetName) {
		r.Missing = records.Missing(v.h.Plan, target)
		v.checkUnrecorded(files, records, target)
	}
	current := v.checkDerived(stored, records)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// checkUnrecorded reports data files that no record names. Those of a missing shard are
// pending: the next run compares them with what it makes.
func (v *verifier) checkUnrecorded(files []string, records *record.Set, target uint64) {
	recorded, pending := map[string]bool{}, map[string]bool{}
	for _, s := range records.List {
		v.addNames(recorded, s.Shard, s.Games)
	}
	for _, s := range v.report.Missing {
		_, games := v.h.Plan.GamesOf(s, target)
		v.addNames(pending, s, games)
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

// addNames adds the names of the data files of a shard with the given number of games.
func (v *verifier) addNames(names map[string]bool, s int, games uint64) {
	for _, name := range v.h.Plan.DataNames(s, games) {
		names[name] = true
	}
}

// checkBookkeeping lists temporary files and records of superseded shards.
func (v *verifier) checkBookkeeping() {
	for _, name := range v.list(plan.SupersededFolder) {
		_, ok := plan.ShardOfRecord(name)
		if name = path.Join(plan.SupersededFolder, name); !ok {
			v.problem(ProblemForeign, noShard, name, record.ErrName)
			continue
		}
		v.report.Leftovers = append(v.report.Leftovers, name)
	}
	for _, name := range v.list(disk.TempFolder) {
		v.report.Leftovers = append(v.report.Leftovers, path.Join(disk.TempFolder, name))
	}
}

// checkNetworks reports networks that are missing or damaged, and other files beside them.
func (v *verifier) checkNetworks() {
	p := v.h.Plan
	for _, sum := range p.Networks {
		if _, err := plan.ReadNetwork(v.d, sum); err != nil {
			v.problem(ProblemNetwork, noShard, plan.NetworkName(sum), err)
		}
	}
	for _, name := range v.list(plan.NetworksFolder) {
		if sum, ok := strings.CutSuffix(name, plan.NetworkSuffix); !ok || !slices.Contains(p.Networks, sum) {
			v.problem(ProblemForeign, noShard, path.Join(plan.NetworksFolder, name), fault.Corrupt("the plan does not name this network"))
		}
	}
}
