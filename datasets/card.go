package datasets

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"text/template"

	"selfplay/encode"
)

//go:embed card.tmpl
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{
	"count": formatCount, "size": formatSize, "share": formatShare, "columns": encode.ColumnTable, "elements": encode.ElementTable,
	"words": strings.Fields,
}).Parse(cardText))

// cardData is the input of the template.
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
func (m *manifest) card(h *header) []byte {
	data := cardData{
		About: h.about, Plan: h.plan, PlanJSON: strings.TrimSpace(string(encodeIndented(h.plan))), Hash: h.hash,
		Description: h.description, Manifest: m, Games: h.plan.gameColumns(),
		Summary: m.summary(h), Keywords: keywords(h.plan), Tables: m.tableInfos(h),
		Size: sizeCategory(m.Rows), Ext: h.plan.Format, Arrow: h.plan.Format == Arrow, Packed: h.plan.BoardType == Packed,
	}
	data.Planes, data.WDL = planesOf(h.description), encode.ReadWDL(h.description.Metadata)
	data.Searched = encode.ColumnNamed(h.description.Columns, encode.PolicyActionColumn) >= 0
	for _, c := range h.description.Columns {
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
func planesOf(d Description) *planeShape {
	for _, kv := range d.Metadata {
		var shape [3]int
		if kv.Key == encode.PlaneShape && json.Unmarshal([]byte(kv.Value), &shape) == nil {
			return &planeShape{shape[0], shape[1], shape[2]}
		}
	}
	return nil
}
