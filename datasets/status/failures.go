package status

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// Failures says what went wrong.
type Failures struct {
	Panics    int     `json:"panics"`              // games that panicked, in all runs: lines of failures.jsonl
	LastGame  *uint64 `json:"last_game,omitempty"` // the game that panicked last
	Processes int     `json:"processes"`           // tasks whose last process failed; see Task.Error
}

// maxFailures is the size in bytes of the largest failures.jsonl that is read.
const maxFailures = 64 << 20

// readFailures counts the games that panicked. A file that is damaged counts by its lines.
func readFailures(d disk.Dir) (f Failures, err error) {
	data, err := d.ReadFileUpTo(plan.FailuresName, maxFailures)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, &datasets.FileError{Op: "read", Path: plan.FailuresName, Err: err}
	}
	for line := range bytes.Lines(data) {
		f.Panics++
		var failure struct {
			Game *uint64 `json:"game"`
		}
		if json.Unmarshal(line, &failure) == nil && failure.Game != nil {
			f.LastGame = failure.Game
		}
	}
	return f, nil
}
