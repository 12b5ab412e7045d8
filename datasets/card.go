package datasets

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"selfplay/datasets/colfile"
	"selfplay/encode"
)

//go:embed card.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"count": count, "size": size, "share": share, "columns": encode.ColumnTable, "elements": encode.ElementTable,
}).Parse(cardText))

// cardData is what the template sees.
type cardData struct {
	About       About
	Plan        Plan
	PlanJSON    string
	Hash        string
	Description Description
	Manifest    *manifest
	Summary     string
	Keywords    []string
	Tables      []tableInfo
	Games       []encode.Column
	Size        string
	BoardLen    int
	BoardDtype  string
	Ext         string
	Arrow       bool
	Packed      bool
	Planes      *planeShape // nil unless the board is planes of bits
}

// planeShape is how the bytes of a board become planes.
type planeShape struct{ Count, Ranks, Files, Bytes int }

// card returns README.md: what is in the dataset, column by column, how to load
// it and how to make it again. Its front matter is read by the Hugging Face hub.
func (m *manifest) card(h *header) []byte {
	data := cardData{
		About: h.about, Plan: h.plan, PlanJSON: strings.TrimSpace(string(encodeJSON(h.plan, "  "))), Hash: h.hash,
		Description: h.description, Manifest: m, Games: GameColumns(),
		Summary: m.summary(h), Keywords: keywords(h.plan), Tables: m.tableInfos(h),
		Size: sizeCategory(m.Rows), Ext: h.plan.Format, Arrow: h.plan.Format == Arrow, Packed: h.plan.BoardType == Packed,
	}
	data.Planes = h.description.planes()
	for _, c := range h.description.Columns {
		if c.Len > 0 {
			data.BoardLen, data.BoardDtype = c.Len, dtype(c.Kind)
			break
		}
	}
	var b bytes.Buffer
	if err := cardTemplate.Execute(&b, data); err != nil {
		panic("datasets: " + err.Error()) // the template is a constant
	}
	return b.Bytes()
}

// Decisions is how many decisions a game has on average, those without a row included.
func (d cardData) Decisions() float64 {
	n := d.Manifest.Rows
	for _, left := range d.Manifest.Dropped {
		n += left.Rows
	}
	return float64(n) / float64(d.Manifest.Games)
}

// share writes a part of a whole for people.
func share(part, whole uint64) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// dtype is NumPy's name of little-endian values.
func dtype(k encode.Kind) string {
	letter := "u"
	if colfile.Signed(k) {
		letter = "i"
	}
	return fmt.Sprintf("<%s%d", letter, k.Size())
}

// planes returns the shape that the layout tells in its metadata, nil if it tells
// none.
func (d *Description) planes() *planeShape {
	for _, kv := range d.Metadata {
		var shape [3]int
		if kv.Key == encode.PlaneShape && json.Unmarshal([]byte(kv.Value), &shape) == nil {
			return &planeShape{shape[0], shape[1], shape[2], (shape[1]*shape[2] + 7) / 8}
		}
	}
	return nil
}
