package datasets

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// whole checks the dataset as a whole: plan, totals, files without a record, and the
// derived files.
func (v *verifier) whole(files []string, commits []*Commit) {
	if err := v.asWritten(planName, v.ds.h.encode()); err != nil {
		v.problem(BadPlan, noShard, planName, err)
	}
	m := newManifest(v.ds.h, commits)
	r := v.report
	r.Shards, r.Games, r.Rows, r.Bytes = m.Shards, m.Games, m.Rows, m.Bytes
	target, err := checkTarget(v.ds.d, v.ds.h.plan, commits)
	if err != nil {
		v.problem(BadTarget, noShard, targetName, err)
	}
	r.Missing = missingShards(v.ds.h.plan, commits, target)
	v.extra(files, commits)
	v.bookkeeping(commits)
	current := v.derived(m, commits, target)
	r.Complete = current && target > 0 && len(r.Missing) == 0
}

// maxShards bounds the shards of a dataset: their names have five digits.
const maxShards = 100_000

// checkTarget returns the target if it can be one of these shards. It was set before
// the first of them was made, and never to less than was there.
func checkTarget(d dir, p Plan, commits []*Commit) (uint64, error) {
	games, err := readTarget(d)
	if err != nil {
		return 0, err
	}
	end := uint64(0)
	if n := len(commits); n > 0 {
		end = commits[n-1].FirstGame + commits[n-1].Games
	}
	switch most := maxShards * uint64(p.ShardGames); {
	case games == 0 && end > 0:
		return 0, corrupt("no target, but shards")
	case games < end:
		return 0, corrupt("%d games are less than are there", games)
	case games > most:
		return 0, corrupt("%d games: at most %d", games, most)
	}
	if data, err := d.readFile(targetName); err == nil && string(data) != string(encodeTarget(games)) {
		return 0, corrupt("not as it was written")
	}
	return games, nil
}

func encodeTarget(games uint64) []byte { return encodeJSON(target{FormatVersion, games}, "") }

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
			v.problem(Foreign, noShard, name, corrupt("no record names this file"))
		}
	}
}

// bookkeeping looks at shards that are being replaced and at files that are being
// written. A run removes the files of every retired shard: one that is committed
// would lose them.
func (v *verifier) bookkeeping(commits []*Commit) {
	for _, name := range v.list(retiredName) {
		s, ok := shardOf(name)
		committed := slices.ContainsFunc(commits, func(c *Commit) bool { return c.Shard == s })
		switch name = path.Join(retiredName, name); {
		case !ok:
			v.problem(Foreign, noShard, name, corrupt("not a shard's record"))
		case committed:
			v.problem(Foreign, noShard, name, corrupt("shard %05d is committed and retired", s))
		default:
			v.report.Leftovers = append(v.report.Leftovers, name)
		}
	}
	for _, name := range v.list(tmpName) {
		v.report.Leftovers = append(v.report.Leftovers, path.Join(tmpName, name))
	}
}

// shardOf returns the shard whose record has this name.
func shardOf(name string) (int, bool) {
	s, err := strconv.Atoi(strings.TrimSuffix(name, ".json"))
	return s, err == nil && s >= 0 && s < maxShards && name == shardName(s)
}

// derived checks the derived files and reports whether they are of the present state,
// as the manifest tells. Until a run has come to its end they are of an earlier one, or
// missing.
func (v *verifier) derived(m *manifest, commits []*Commit, target uint64) (current bool) {
	there, err := readManifest(v.ds.d)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil:
		v.problem(BadManifest, noShard, manifestName, err)
		return false
	case v.otherAbout(there):
		v.problem(BadPlan, noShard, planName, corrupt("title, licence, creator or date are not those in %s", manifestName))
		return false
	case !m.agrees(there):
		if err := v.earlier(there, commits, target); err != nil {
			v.problem(BadManifest, noShard, manifestName, err)
		}
		return false
	}
	v.documents(m, there)
	return true
}

// otherAbout reports whether what plan.json says beside the plan, which no hash guards,
// was changed.
func (v *verifier) otherAbout(there *manifest) bool {
	return there.About != v.ds.h.about && there.Documents[0] != sumDocument(planName, v.ds.h.encode())
}

// documents checks the sums of the documents. One that is as this program writes it is
// right whatever its sum.
func (v *verifier) documents(m, there *manifest) {
	own := m.derived(v.ds.h)
	if m.Documents[0] != there.Documents[0] {
		v.problem(BadManifest, noShard, manifestName, corrupt("the sum of %s is another", planName))
	}
	for i, want := range there.Documents[1:] {
		data, err := v.ds.d.readFile(want.Name)
		switch {
		case err != nil:
			v.problem(BadCard, noShard, want.Name, err)
		case sumDocument(want.Name, data) == want:
		case string(data) == string(own[i].data):
			v.problem(BadManifest, noShard, manifestName, corrupt("the sum of %s is another", want.Name))
		default:
			v.problem(BadCard, noShard, want.Name, corrupt("differs from its sum in %s", manifestName))
		}
	}
}

// earlier checks the manifest of an earlier state: every shard in it is committed
// still, or was the last and short and is being made again.
func (v *verifier) earlier(old *manifest, commits []*Commit, target uint64) error {
	byShard := map[int]*Commit{}
	for _, c := range commits {
		byShard[c.Shard] = c
	}
	var then []*Commit
	replaced := false
	for i, s := range old.Files {
		c := byShard[s.Shard]
		_, most := v.ds.h.plan.games(s.Shard, target)
		switch {
		case i == len(old.Files)-1 && s.Games < most && (c == nil || s.Games < c.Games):
			c, replaced = s.commit(), true
		case c == nil:
			return corrupt("shard %05d is not committed, but was", s.Shard)
		}
		then = append(then, c)
	}
	m := newManifest(v.ds.h, then)
	if replaced { // with its record went what is not told shard by shard
		m.Results, m.Dropped = old.Results, old.Dropped
	}
	if !m.agrees(old) {
		return corrupt("differs from the commit records")
	}
	return nil
}

// commit returns what a manifest says of a shard, as its record did.
func (s manifestShard) commit() *Commit {
	return &Commit{
		Shard: s.Shard, Split: s.Split, FirstGame: s.FirstGame, Games: s.Games, Rows: s.Positions.Rows,
		Files: [2]Digest{positionsFile: s.Positions, gamesFile: s.GamesFile},
	}
}
