package making

import (
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine"
)

// The games of an approximate plan come out differently when they are played again: by a second task that
// makes the same shard, and by the run after one that was killed between the files of a shard and its commit
// record. The first file of games decides. Files of games are published before those of positions, and a maker
// that finds one takes its games over in place of its own. Positions and commit record follow from the
// games, so all makers of a shard publish the same bytes, and no file is ever replaced: an object store
// has no lock that would allow it.

// Before a game is played, the model must agree with the one that began the dataset: see record.Answers.

// checkAnswers compares the answers of models with those in the dataset. Nothing has been written yet.
func (o *Options) checkAnswers(d disk.Dir, h *plan.File) error {
	if len(o.Answers) == 0 {
		return nil
	}
	if found, err := plan.Read(d); err != nil || found.Hash != h.Hash {
		return nil //nolint:nilerr // a new dataset; openPlan refuses another or a damaged plan
	}
	for _, a := range o.Answers {
		if err := record.CheckAnswers(d, a); err != nil {
			return explainAnswers(d, err)
		}
	}
	return nil
}

// keepAnswers stores the answers of models that the dataset lacks, and compares the others.
func (o *Options) keepAnswers(d disk.Dir) error {
	for _, a := range o.Answers {
		if err := record.KeepAnswers(d, a); err != nil {
			return explainAnswers(d, err)
		}
	}
	return nil
}

// explainAnswers makes another model a reason to refuse the dataset, as another fingerprint is.
func explainAnswers(d disk.Dir, err error) error {
	if errors.Is(err, record.ErrAnswers) {
		err = fmt.Errorf("open %s: %w: %w", d, datasets.ErrPlanMismatch, err)
	}
	return err
}

// makings bounds how often a shard is made. Each time after the first the maker takes over a file of games
// that it did not see before, and a shard has one of each split.
const makings = 3

// makeApproximate makes a shard again, with the games of another maker, as long as such games get in its way.
func (m *shardMaker) makeApproximate(make func() (*record.Commit, error)) (c *record.Commit, err error) {
	defer func() { m.again = false }()
	for n := range makings {
		m.again = n > 0
		if c, err = make(); !errors.Is(err, fault.ErrNondeterminism) {
			return c, err
		}
	}
	return nil, err
}

// recoverApproximate is recover for an approximate plan. Published games come before journaled ones.
func (o *openShard) recoverApproximate(end uint64) error {
	if o.m.journaled {
		if err := o.addJournaled(end); err != nil {
			return err
		}
	}
	for _, part := range o.parts {
		if err := o.addPublished(part.Part); err != nil {
			return err
		}
	}
	return nil
}

// addPublished recovers the games of a part from its file, if a maker has published it.
func (o *openShard) addPublished(part plan.Part) error {
	d, name := o.m.d, o.m.h.Plan.DataName(plan.Games, part.Split, o.commit.Shard, o.commit.Games)
	size, err := d.Size(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sum, err := record.SumFile(d, name)
	if err != nil {
		return err
	}
	p := &record.Part{Shard: o.commit.Shard, Split: part.Split, FirstGame: o.commit.FirstGame, Games: part.Games}
	p.Files[plan.GamesFile] = record.FileEntry{Name: name, Bytes: size, SHA256: sum, Rows: part.Games}
	for r, err := range datasets.New(d, o.m.h).Games(p) {
		if err != nil {
			return err
		}
		if r.Game < o.next { // the shorter shard has it
			continue
		}
		own := new(engine.Record)
		own.CopyFrom(r)
		o.recovered[r.Game] = own
	}
	return nil
}
