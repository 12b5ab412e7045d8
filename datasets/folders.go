package datasets

import (
	"errors"
	"path/filepath"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
)

// makeHidden makes the folders of the bookkeeping and makes them survive a power cut.
func makeHidden(d disk.Dir) error {
	if err := d.MakeFolders(commitsName, supersededName, journal.Folder, disk.TempFolder); err != nil {
		return err
	}
	d.FS.SyncDir(filepath.Dir(d.Root)) // the parent may not be readable; ignore that
	return errors.Join(d.FS.SyncDir(d.Path(disk.Hidden)), d.FS.SyncDir(d.Root))
}

// makeFolders makes the folders of the tables. The plan is written before: without it the
// folders would belong to no dataset.
func makeFolders(d disk.Dir) error {
	if err := d.MakeFolders(tables[:]...); err != nil {
		return err
	}
	return d.FS.SyncDir(d.Root)
}
