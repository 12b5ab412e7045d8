package datasets

import (
	"errors"
	"io/fs"
)

// whole checks the dataset as a whole: totals, files without a record, and the
// derived files.
func (v *verifier) whole(files []string, commits []*Commit) {
	m := newManifest(v.ds.h, commits)
	r := v.report
	r.Shards, r.Games, r.Rows, r.Bytes = m.Shards, m.Games, m.Rows, m.Bytes
	target, err := readTarget(v.ds.d)
	if err != nil {
		v.problem(noShard, targetName, err)
	}
	r.Missing = missingShards(v.ds.h.plan, commits, target)
	v.extra(files, commits)
	current := v.derived(m, commits, target)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// extra reports files that no record names. Those of a missing shard are
// pending: the next run compares them with what it makes.
func (v *verifier) extra(files []string, commits []*Commit) {
	known := map[string]bool{}
	for _, c := range commits {
		for _, f := range c.Files {
			known[f.Name] = true
		}
	}
	pending := map[string]bool{}
	for _, s := range v.report.Missing {
		pending[v.ds.h.plan.dataName(positionsName, s)] = true
		pending[v.ds.h.plan.dataName(gamesName, s)] = true
	}
	for _, name := range files {
		switch {
		case known[name]:
		case pending[name]:
			v.report.Pending = append(v.report.Pending, name)
		default:
			v.problem(noShard, name, corrupt("no record names this file"))
		}
	}
}

// derived checks manifest and card and reports whether they are of the present
// state. Until a run has come to its end they are of an earlier one, or missing.
func (v *verifier) derived(m *manifest, commits []*Commit, target uint64) (current bool) {
	data, err := v.ds.d.readFile(manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err == nil && string(data) != string(m.encode()) {
		if err := v.earlier(data, commits, target); err != nil {
			v.problem(noShard, manifestName, err)
		}
		return false
	}
	if err != nil {
		v.problem(noShard, manifestName, err)
		return false
	}
	card, err := v.ds.d.readFile(cardName)
	if err == nil && string(card) != string(m.card(v.ds.h)) {
		err = corrupt("differs from the commit records")
	}
	if err != nil {
		v.problem(noShard, cardName, err)
	}
	return true
}

// earlier checks the manifest of an earlier state: every shard in it is committed
// still, or was short and is being made again.
func (v *verifier) earlier(data []byte, commits []*Commit, target uint64) error {
	var old manifest
	if err := decodeJSON(data, &old); err != nil {
		return err
	}
	byShard := map[int]*Commit{}
	for _, c := range commits {
		byShard[c.Shard] = c
	}
	var then []*Commit
	for _, s := range old.Files {
		if _, want := v.ds.h.plan.games(s.Shard, target); s.Games < want {
			return nil // its record is gone, and so is what the totals were made of
		}
		c := byShard[s.Shard]
		if c == nil {
			return corrupt("shard %05d is not committed, but was", s.Shard)
		}
		then = append(then, c)
	}
	if string(data) != string(newManifest(v.ds.h, then).encode()) {
		return corrupt("differs from the commit records")
	}
	return nil
}
