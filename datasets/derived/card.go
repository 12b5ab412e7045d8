package derived

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
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
	Manifest    *record.Manifest
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
func card(m *record.Manifest, h *plan.File) []byte {
	data := cardData{
		About: h.About, Plan: h.Plan, PlanJSON: strings.TrimSpace(string(canonical.MarshalIndented(h.Plan))), Hash: h.Hash,
		Description: h.Description, Manifest: m, Games: h.Plan.GameColumns(),
		Summary: summary(m, h), Keywords: keywords(h.Plan), Tables: tableInfos(m, h),
		Size: sizeCategory(m.Rows), Ext: h.Plan.Format, Arrow: h.Plan.Format == plan.Arrow, Packed: h.Plan.BoardType == plan.Packed,
	}
	data.Planes, data.WDL = planesOf(h.Description), encode.ReadWDL(h.Description.Metadata)
	data.Searched = encode.ColumnNamed(h.Description.Columns, encode.PolicyActionColumn) >= 0
	for _, c := range h.Description.Columns {
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
