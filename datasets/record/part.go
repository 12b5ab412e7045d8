package record

import (
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

// A Part is what one split has of a committed shard. It is what readers of rows read.
type Part struct {
	Commit    *Commit // of the shard
	Shard     int
	Split     string
	FirstGame uint64       // of the shard: that of the part may be a later one
	Games     uint64       // of the part
	Rows      uint64       // of its positions
	Files     [2]FileEntry // positions, games
}

// Parts returns the parts of the shard, training before validation.
func (c *Commit) Parts() (list []*Part) {
	for i := 0; i+1 < len(c.Files); i += 2 {
		files := [2]FileEntry(c.Files[i : i+2])
		list = append(list, &Part{
			Commit: c, Shard: c.Shard, Split: plan.SplitOfName(files[0].Name), FirstGame: c.FirstGame,
			Games: files[plan.GamesFile].Rows, Rows: files[plan.PositionsFile].Rows, Files: files,
		})
	}
	return list
}

// PartsOf returns the parts of shards.
func PartsOf(commits []*Commit) (list []*Part) {
	for _, c := range commits {
		list = append(list, c.Parts()...)
	}
	return list
}

// PartOf returns the part of a shard that has a split, or nil.
func (c *Commit) PartOf(split string) *Part {
	for _, p := range c.Parts() {
		if p.Split == split {
			return p
		}
	}
	return nil
}

// Outcomes returns the outcomes that games of the shard have.
func (p *Part) Outcomes() (list []engine.Outcome) {
	for _, r := range p.Commit.Results {
		list = append(list, engine.Outcome{Result: engine.Result(r.Result), Reason: engine.Reason(r.Reason)})
	}
	return list
}

// Bytes returns the size of both files.
func (p *Part) Bytes() int64 {
	return p.Files[plan.PositionsFile].Bytes + p.Files[plan.GamesFile].Bytes
}

// Spec returns the columns, metadata and encoding of file f of the part.
func (p *Part) Spec(h *plan.File, f int) colfile.Spec {
	return h.Spec(plan.Tables[f], p.Shard, plan.Part{Split: p.Split, Games: p.Games})
}
