package checking

import (
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// RepairOptions say how Repair works.
type RepairOptions struct {
	Verify VerifyOptions // how damage is found
	DryRun bool          // only report the actions
}

// RepairReport lists what a repair did, or would do.
type RepairReport struct {
	PlanHash string   `json:"plan_hash"`
	DryRun   bool     `json:"dry_run"`
	Actions  []Action `json:"actions"`           // in the order in which they are done
	Missing  []int    `json:"missing,omitempty"` // shards that a run has to make now
	// Left are problems that the repair does not solve: files that do not belong to the
	// dataset, damaged networks, and lost records of shards with intact files. The next run makes these
	// shards again and compares.
	Left []Problem `json:"left,omitempty"`
}

// Action is one step of a repair.
type Action struct {
	Kind  ActionKind `json:"do"`
	Path  string     `json:"file"`
	Shard int        `json:"shard"` // -1 for files of the whole dataset
	Why   string     `json:"why"`
}

// ActionKind says what an action does. Programs read its values: new ones may be added,
// but none is renamed.
type ActionKind string

// The kinds of action.
const (
	ActionDropRecord ActionKind = "drop_record" // the shard no longer counts
	ActionDropFile   ActionKind = "drop_file"
	ActionWrite      ActionKind = "write" // a file that follows from the others
)

// repairer is a repair in progress.
type repairer struct {
	v       *verifier
	d       disk.Dir
	h       *plan.File
	records *record.Set     // of the shards that stay
	entries []record.Entry  // of the same shards
	damaged map[int]string  // shards to drop, with the reason
	broken  map[int]bool    // shards with a problem other than their record
	intact  map[int]bool    // shards without a valid record, but with the files of the manifest
	keep    map[string]bool // data files of the intact shards
	dropped map[string]bool // files that a step drops
	report  *RepairReport
}

func newRepairer(d disk.Dir, h *plan.File, o RepairOptions) *repairer {
	return &repairer{
		v: newVerifier(d, h, o.Verify), d: d, h: h, records: record.NewSet(h.Plan),
		damaged: map[int]string{}, broken: map[int]bool{},
		intact: map[int]bool{}, keep: map[string]bool{}, dropped: map[string]bool{},
		report: &RepairReport{PlanHash: h.Hash, DryRun: o.DryRun, Actions: []Action{}},
	}
}
