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
// pending: the next run compares them with what it makes. Those of a shard that has more games by now are
// leftovers.
func (v *verifier) checkUnrecorded(files []string, records *record.Set, target uint64) {
	for _, name := range files {
		switch records.StateOf(v.h.Plan, name, target) {
		case record.Recorded:
		case record.Pending:
			v.report.Pending = append(v.report.Pending, name)
		case record.Replaced:
			v.report.Leftovers = append(v.report.Leftovers, name)
		default:
			v.problem(ProblemForeign, noShard, name, fault.Corrupt("no record names this file"))
		}
	}
}

// checkBookkeeping lists temporary files.
func (v *verifier) checkBookkeeping() {
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
