package checking

import (
	"path"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

// The names of a dataset and of its folder for bookkeeping, without those that begin with a dot.
var (
	rootNames   = []string{plan.FileName, plan.ManifestName, plan.CardName, plan.CroissantName, plan.Positions, plan.Games, plan.NetworksFolder}
	hiddenNames = baseNames(plan.CommitsFolder, plan.AnswersFolder, journal.Folder, plan.RunsFolder, disk.TempFolder,
		plan.TargetName, disk.LockName, plan.FailuresName, disk.ProbeName)
)

func baseNames(names ...string) (list []string) {
	for _, name := range names {
		list = append(list, path.Base(name))
	}
	return list
}

// checkFolders reports files that neither a run nor any other command puts where they are. What a
// killed run leaves has names of its own, and is none of them.
func (v *verifier) checkFolders() {
	among := func(names []string) func(string) bool {
		return func(name string) bool { return slices.Contains(names, name) }
	}
	v.checkNames(".", among(rootNames))
	v.checkNames(journal.Folder, journal.IsName)
	v.checkNames(plan.RunsFolder, status.IsBeatName)
	v.checkNames(plan.AnswersFolder, record.IsAnswersName)
	v.checkNames(disk.Hidden, among(hiddenNames))
}

// checkNames reports the files of a folder that are not expected there.
func (v *verifier) checkNames(folder string, expected func(name string) bool) {
	for _, name := range v.list(folder) {
		if !expected(name) {
			v.problem(ProblemForeign, noShard, path.Join(folder, name), errUnexpected)
		}
	}
}

var errUnexpected = fault.Corrupt("no file of a dataset has this name")
