package record

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// OtherPlanError is in the error of an intact record that names another plan.
type OtherPlanError struct{ Hash, Want string }

func (e *OtherPlanError) Error() string {
	return fmt.Sprintf("plan hash %.12s, want %.12s", e.Hash, e.Want)
}

// PlanWitnesses are the intact commit records and the manifest, which name the plan of their dataset
// by its hash.
type PlanWitnesses struct {
	Agree, Contradict int
	File, Hash        string // the first that contradicts, and the hash that it names
}

// Add counts a witness, by its name and the hash that it names.
func (w *PlanWitnesses) Add(name, hash string, file *plan.File) {
	if hash == file.Hash {
		w.Agree++
		return
	}
	if w.Contradict == 0 {
		w.File, w.Hash = name, hash
	}
	w.Contradict++
}

// Vouch reports whether the dataset belongs to the plan: more witnesses name it than another one.
func (w *PlanWitnesses) Vouch() bool { return w.Agree > w.Contradict }

// Err returns ErrCorrupt if as many witnesses name another plan as name this one, or more.
func (w *PlanWitnesses) Err(file *plan.File) error {
	if w.Contradict == 0 || w.Vouch() {
		return nil
	}
	return fault.Corrupt("plan hash %.12s, but %d of %d commit records and manifest name another one, first %s: %.12s",
		file.Hash, w.Contradict, w.Agree+w.Contradict, w.File, w.Hash)
}

// ReadPlanWitnesses asks all intact records and the manifest whether the dataset belongs to a plan. What is
// damaged says nothing; what cannot be read is an error.
func ReadPlanWitnesses(d disk.Dir, file *plan.File) (w PlanWitnesses, m *Manifest, err error) {
	names, err := d.List(plan.CommitsFolder)
	if err != nil {
		return w, nil, err
	}
	for _, name := range names {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			continue
		}
		text, err := d.ReadFile(plan.CommitName(s))
		if err != nil && !errors.Is(err, fault.ErrCorrupt) {
			return w, nil, err
		}
		if c, bad := decodeCommit(text); err == nil && bad == nil {
			w.Add(plan.CommitName(s), c.Plan, file)
		}
	}
	m, _, err = ScanManifest(d, func(Entry, EntrySum) {})
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fault.ErrCorrupt):
		return w, nil, nil
	case err != nil:
		return w, nil, fmt.Errorf("read %s: %w", plan.ManifestName, err)
	}
	w.Add(plan.ManifestName, m.PlanHash, file)
	return w, m, nil
}
