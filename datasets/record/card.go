package record

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

//go:embed card.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"count": formatCount, "size": FormatSize, "share": formatShare, "columns": encode.ColumnTable, "elements": encode.ElementTable,
	"words": strings.Fields, "cell": encode.TableCell,
}).Parse(cardText))

// cardData is the input of the template.
type cardData struct {
	About       plan.About
	Plan        plan.Plan
	PlanJSON    string
	Hash        string
	Description plan.Description
	Manifest    *Manifest
	Summary     string
	Keywords    []string
	Tables      []tableInfo
	Games       []encode.Column
	Size        string
	BoardLen    int
	Ext         string
	Arrow       bool
	Packed      bool
	Planes      *planeShape // nil unless the board is bit planes
	Searched    bool        // the dataset has policies and scores
	WDL         *encode.WDL // nil if the files have no model of scores
}

// planeShape is the shape of a board that is stored as bit planes.
type planeShape struct{ Count, Ranks, Files int }

// card returns README.md: the contents column by column, how to load them, and how they
// were made. The Hugging Face hub reads its front matter.
func card(m *Manifest, file *plan.File) []byte {
	data := cardData{
		About: file.About, Plan: file.Plan, PlanJSON: strings.TrimSpace(string(canonical.MarshalIndented(file.Plan))), Hash: file.Hash,
		Description: file.Description, Manifest: m, Games: file.Plan.GameColumns(),
		Summary: summary(m, file), Keywords: keywords(file.Plan), Tables: tableInfos(m, file),
		Size: sizeCategory(m.Rows), Ext: file.Plan.Format, Arrow: file.Plan.Format == plan.Arrow, Packed: file.Plan.BoardType == plan.Packed,
	}
	data.Planes, data.WDL = planesOf(file.Description), encode.ReadWDL(file.Description.Metadata)
	data.Searched = encode.ColumnNamed(file.Description.Columns, encode.PolicyActionColumn) >= 0
	for _, c := range file.Description.Columns {
		if c.Len > 0 {
			data.BoardLen = c.Len
			break
		}
	}
	var b bytes.Buffer
	if err := cardTemplate.Execute(&b, data); err != nil {
		panic("datasets: " + err.Error()) // the template is embedded
	}
	return b.Bytes()
}

// Decisions returns the average number of decisions of a game, including dropped ones.
func (d cardData) Decisions() float64 {
	n := d.Manifest.Rows
	for _, dropped := range d.Manifest.Dropped {
		n += dropped.Rows
	}
	return float64(n) / float64(d.Manifest.Games)
}

// planesOf returns the plane shape in the metadata of the layout, or nil if there is none.
func planesOf(d plan.Description) *planeShape {
	for _, kv := range d.Metadata {
		var shape [3]int
		if kv.Key == encode.PlaneShape && json.Unmarshal([]byte(kv.Value), &shape) == nil {
			return &planeShape{shape[0], shape[1], shape[2]}
		}
	}
	return nil
}

// Feature returns the type of a column as YAML. All versions of the library accept
// "sequence" for a list; those before 4 know no other word.
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
func tableInfos(m *Manifest, file *plan.File) []tableInfo {
	infos := []tableInfo{
		plan.PositionsFile: {Name: plan.Positions, Columns: file.Description.Columns},
		plan.GamesFile:     {Name: plan.Games, Columns: file.Plan.GameColumns()},
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
func splitInfoOf(m *Manifest, split string, i int) splitInfo {
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
func summary(m *Manifest, file *plan.File) string {
	kind := "self-play"
	if file.Plan.HasImportedGames() {
		kind = "imported"
	}
	return fmt.Sprintf("%s %s games of %s: %s positions as fixed-length arrays with the move played and the outcome, "+
		"and a record of each game that can be replayed.",
		formatCount(m.Games), kind, file.Description.Title, formatCount(m.Rows))
}

// formatCount returns a number with a comma after each three digits.
func formatCount(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// FormatSize returns a number of bytes with a decimal unit.
func FormatSize(n int64) string {
	const unit = 1000
	v, names := float64(n), []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; v >= unit && i < len(names)-1; i++ {
		v /= unit
	}
	return fmt.Sprintf("%.*f %s", min(i, 1), v, names[i])
}

// formatShare returns part/whole in percent.
func formatShare(part, whole uint64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// sizeCategory returns the size category of the Hugging Face hub for a number of rows.
func sizeCategory(rows uint64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M",
		"100M<n<1B", "1B<n<10B", "10B<n<100B", "100B<n<1T"}
	for limit, i := uint64(1000), 0; i < len(names); limit, i = limit*10, i+1 {
		if rows < limit {
			return names[i]
		}
	}
	return "n>1T"
}
