package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	mathrand "math/rand/v2"
	"path"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/engine"
)

// SyncInterval is the usual interval between syncs. It bounds the games that a power cut
// costs; a kill costs none.
const SyncInterval = 5 * time.Second

// Writer writes one journal. One goroutine may use it at a time. Errors are
// fault.FileErrors.
type Writer struct {
	name      string // relative to the dataset
	d         disk.Dir
	f         disk.File
	head      string // first line
	buffer    []byte
	underWay  map[uint64]counts // games with decisions in this journal
	syncEvery time.Duration
	synced    time.Time // of the last sync, or of Create
	named     bool      // the folder was synced: the name survives a power cut
}

// Create creates a journal for a shard of the plan with the given hash. Folder must
// exist. Add syncs once syncEvery has passed since the last sync; 0 syncs after every
// game. The caller ends the journal with Keep or Close.
func Create(d disk.Dir, plan string, shard int, syncEvery time.Duration) (*Writer, error) {
	var id [8]byte
	rand.Read(id[:]) // only for the name: no byte of the dataset depends on it
	j := &Writer{
		d: d, name: path.Join(Folder, prefix(shard)+hex.EncodeToString(id[:])+".log"),
		head: header(plan, shard), syncEvery: syncEvery, synced: time.Now(), underWay: map[uint64]counts{},
	}
	var err error
	j.f, err = d.FS.Create(d.Path(j.name))
	if err != nil {
		return nil, j.fail(err)
	}
	if _, err := j.f.Write([]byte(j.head)); err != nil {
		return nil, errors.Join(j.fail(err), j.f.Close())
	}
	return j, nil
}

// Add appends a finished game, which the caller may change afterwards.
func (j *Writer) Add(r *engine.Record) error {
	delete(j.underWay, r.Game)
	j.buffer = appendFrame(j.buffer[:0], j.head, r)
	return j.write()
}

// counts are the lengths of the lists of a record.
type counts struct{ plies, searched, policy, old int }

// AddDecisions appends what r has more than at the last call: decisions of a game under way. src is its
// random source after the last one.
func (j *Writer) AddDecisions(r *engine.Record, src *mathrand.PCG) error {
	c := j.underWay[r.Game]
	part := &engine.Record{
		Game: r.Game, Actions: r.Actions[c.plies:], MoveRanks: r.MoveRanks[c.plies:], Best: r.Best[c.searched:], Scores: r.Scores[c.searched:],
		Nodes: r.Nodes[c.searched:], PolicySize: r.PolicySize[c.searched:], PolicyAction: r.PolicyAction[c.policy:],
		PolicyWeight: r.PolicyWeight[c.policy:], OldBest: r.OldBest[c.old:], OldScores: r.OldScores[c.old:], OldNodes: r.OldNodes[c.old:],
	}
	if c.searched == 0 {
		part.Start, part.Players, part.OpeningPlies, part.Tags = r.Start, r.Players, r.OpeningPlies, r.Tags
	}
	j.underWay[r.Game] = counts{len(r.Actions), len(r.Nodes), len(r.PolicyAction), len(r.OldBest)}
	j.buffer = appendDecisions(j.buffer[:0], j.head, c.searched, part, src)
	return j.write()
}

// write appends the buffer and syncs the journal now and then.
func (j *Writer) write() error {
	if _, err := j.f.Write(j.buffer); err != nil {
		return j.fail(err)
	}
	if now := time.Now(); now.Sub(j.synced) >= j.syncEvery {
		j.synced = now
		return j.sync()
	}
	return nil
}

// sync makes all games so far survive a power cut. Only the first sync syncs the folder,
// so a shard that takes less than an interval costs no sync at all.
func (j *Writer) sync() error {
	err := j.f.Sync()
	if err == nil && !j.named {
		err = j.d.SyncFolder(j.name)
		j.named = err == nil
	}
	if err != nil {
		return j.fail(err)
	}
	return nil
}

// Keep syncs and closes the journal, for a later run to read.
func (j *Writer) Keep() error { return errors.Join(j.sync(), j.f.Close()) }

// Close closes the journal without a sync, because its shard is about to be committed.
func (j *Writer) Close() error { return j.f.Close() }

func (j *Writer) fail(err error) error {
	return &fault.FileError{Op: "write", Path: j.name, Err: err}
}
