package record

import (
	"errors"
	"path/filepath"

	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
)

// CheckFolders refuses links in place of the folders of a dataset. Call it before the
// first write: a writer creates and removes files in these folders.
func CheckFolders(d disk.Dir) error {
	hidden := []string{disk.Hidden, disk.TempFolder, journal.Folder, plan.RunsFolder, plan.CommitsFolder, plan.AnswersFolder}
	return d.CheckFolders(append(append(hidden, plan.NetworksFolder), plan.Tables[:]...)...)
}

// MakeHidden creates and syncs the bookkeeping folders.
func MakeHidden(d disk.Dir) error {
	if err := d.MakeFolders(plan.CommitsFolder, journal.Folder, disk.TempFolder); err != nil {
		return err
	}
	_ = d.FS.SyncDir(filepath.Dir(d.Root)) // the parent may not be readable
	return errors.Join(d.FS.SyncDir(d.Path(disk.Hidden)), d.FS.SyncDir(d.Root))
}

// MakeFolders creates and syncs the folders of the tables. Call it after the plan is
// written: without a plan the folders would belong to no dataset.
func MakeFolders(d disk.Dir) error {
	if err := d.MakeFolders(plan.Tables[:]...); err != nil {
		return err
	}
	return d.FS.SyncDir(d.Root)
}
