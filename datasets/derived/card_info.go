package derived

import (
	"fmt"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// tableInfo is one entry of dataset_info in the front matter of the card, in the
// vocabulary of the Hugging Face hub. With it the hub's library knows the features without
// opening a file, and checks the number of rows of each split. Sizes are those of the
// files.
type tableInfo struct {
	Name    string
	Columns []encode.Column
	Splits  []splitInfo
	Bytes   int64
}

type splitInfo struct {
	Split string
	Rows  uint64
	Bytes int64
}

// tableInfos sums up the files of both tables.
func tableInfos(m *record.Manifest, h *plan.File) []tableInfo {
	infos := []tableInfo{
		plan.PositionsFile: {Name: plan.Positions, Columns: h.Description.Columns},
		plan.GamesFile:     {Name: plan.Games, Columns: h.Plan.GameColumns()},
	}
	for i := range infos {
		for _, split := range m.Splits {
			s := splitInfoOf(m, split.Split, i)
			infos[i].Splits = append(infos[i].Splits, s)
			infos[i].Bytes += s.Bytes
		}
	}
	return infos
}

// splitInfoOf sums up file i of the shards of a split.
func splitInfoOf(m *record.Manifest, split string, i int) splitInfo {
	s := splitInfo{Split: split}
	for _, shard := range m.Files {
		for j, f := range shard.Files {
			if j%2 == i && plan.SplitOfName(f.Name) == split {
				s.Rows += f.Rows
				s.Bytes += f.Bytes
			}
		}
	}
	return s
}

// keywords returns the search keywords of a dataset.
func keywords(p plan.Plan) []string {
	if p.HasImportedGames() {
		return []string{"board-games", p.Game}
	}
	return []string{"board-games", "self-play", p.Game}
}

// summary returns one sentence about the contents.
func summary(m *record.Manifest, h *plan.File) string {
	kind := "self-play"
	if h.Plan.HasImportedGames() {
		kind = "imported"
	}
	return fmt.Sprintf("%s %s games of %s: %s positions as fixed-length arrays with the move played and the outcome, "+
		"and a record of each game that can be replayed.",
		formatCount(m.Games), kind, h.Description.Title, formatCount(m.Rows))
}
