package datasets

import (
	"fmt"

	"selfplay/encode"
)

// tableInfo is what the front matter of the card tells of a table, dataset_info in the
// words of the Hugging Face hub: the features that its library would find in the files,
// so that it need not open one, and the rows of each split, which it compares with what
// it reads. Sizes are those of the files.
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
func (m *manifest) tableInfos(h *header) []tableInfo {
	infos := []tableInfo{
		positionsFile: {Name: positionsName, Columns: h.description.Columns},
		gamesFile:     {Name: gamesName, Columns: GameColumns()},
	}
	for f := range infos {
		for _, split := range m.Splits {
			s := splitInfo{Split: split.Split}
			for _, shard := range m.Files {
				if d := shard.tables()[f]; shard.Split == s.Split {
					s.Rows += d.Rows
					s.Bytes += d.Bytes
				}
			}
			infos[f].Splits = append(infos[f].Splits, s)
			infos[f].Bytes += s.Bytes
		}
	}
	return infos
}

// Feature returns the type of a column as YAML. Versions of the library before 4 know
// a list by the name of sequence alone, later ones by that too.
func (d cardData) Feature(c encode.Column) string {
	switch {
	case c.Kind == encode.String || c.Len == encode.Scalar:
		return "dtype: " + c.Kind.String()
	case c.Len == encode.Var:
		return "sequence: " + c.Kind.String()
	case d.Packed:
		return fmt.Sprintf("dtype: fixed_size_binary[%d]", c.Len*c.Kind.Size())
	}
	return fmt.Sprintf("sequence: %s\n    length: %d", c.Kind, c.Len)
}

// keywords are what a dataset is found by.
func keywords(p Plan) []string { return []string{"board-games", "self-play", p.Game} }

// summary says in a sentence what is in the dataset.
func (m *manifest) summary(h *header) string {
	return fmt.Sprintf("%s games of %s that a program played against itself: %s positions as arrays of fixed length, "+
		"with the move played and the outcome, and every game as a record that can be replayed.",
		count(m.Games), h.description.Title, count(m.Rows))
}
