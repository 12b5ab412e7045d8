package derived

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"path"
	"strings"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// croissant.json describes a dataset to catalogues and loaders, in the vocabulary of
// MLCommons Croissant 1.0: the files with their sums, and the columns of both tables as
// fields of record sets. See https://docs.mlcommons.org/croissant/docs/croissant-spec.html.

// croissantContext is the JSON-LD context. It has every term of the context in the
// reference implementation, which warns about missing ones.
//
//go:embed croissant_context.json
var croissantContext []byte

// arrowMedia and parquetMedia are the media types of data files. The registered type of
// Parquet is application/vnd.apache.parquet, but no reader of Croissant knows it.
const (
	arrowMedia   = "application/vnd.apache.arrow.file"
	parquetMedia = "application/x-parquet"
)

// distributionHead begins the list of files in croissant.json. It occurs once: no JSON
// string has a line break.
const distributionHead = "\n  \"distribution\": ["

// writeCroissant writes croissant.json. w keeps the first error.
func writeCroissant(m *record.Manifest, w *bufio.Writer, h *plan.File) {
	head, tail, found := bytes.Cut(croissantWithoutFiles(m, h), []byte(distributionHead))
	if !found {
		panic("datasets: croissant.json without a distribution")
	}
	_, _ = w.Write(head)
	_, _ = w.WriteString(distributionHead)
	for _, s := range m.Files {
		for _, f := range s.Files {
			canonical.WriteElement(w, croissantFile{
				Type: "cr:FileObject", ID: f.Name, Name: f.Name, URL: f.Name,
				Size: fmt.Sprintf("%d B", f.Bytes), Media: croissantMedia(h.Plan), SHA256: f.SHA256,
			})
			_ = w.WriteByte(',') // the file sets follow
		}
	}
	_, _ = w.Write(tail)
}

// croissantWithoutFiles returns croissant.json without the data files.
func croissantWithoutFiles(m *record.Manifest, h *plan.File) []byte {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", ConformsTo: "http://mlcommons.org/croissant/1.0",
		Name: h.About.Title, Description: summary(m, h), Identifier: "selfplay plan " + h.Hash, Version: version(m),
		DatePublished: h.About.Date, URL: h.About.URL, License: h.About.Licence, CiteAs: citation(m, h), Keywords: keywords(h.Plan),
		Distribution: croissantFileSets(h.Plan),
		RecordSet: []croissantRecordSet{
			splitRecords(m), namedRecords("results", h.Description.Results, nil), namedRecords("reasons", h.Description.Reasons, h.Description.OwnReasons),
			tableRecords(h.Plan, plan.Positions, "One row per decision.", h.Description.Columns, "game", "ply"),
			tableRecords(h.Plan, plan.Games, "One row per game; its positions can be made again from it.", h.Plan.GameColumns(), "game"),
		},
	}
	if h.About.Creator != "" {
		c.Creator = &croissantCreator{"sc:Organization", h.About.Creator}
	}
	return canonical.MarshalIndented(c)
}

// version returns the version of the dataset by the rules of Croissant. A larger dataset
// of the same plan adds games, which makes a higher minor version.
func version(m *record.Manifest) string { return fmt.Sprintf("%d.%d.0", m.Format, m.Games) }

// citation returns a BibTeX entry. It has no author or year if the creator or the date is
// not given.
func citation(m *record.Manifest, h *plan.File) string {
	var b strings.Builder
	text := strings.NewReplacer("{", "", "}", "", `\`, "").Replace // without characters that end a field
	fmt.Fprintf(&b, "@misc{selfplay_%.12s, title = {%s}", h.Hash, text(h.About.Title))
	if h.About.Creator != "" {
		fmt.Fprintf(&b, ", author = {%s}", text(h.About.Creator))
	}
	if year, _, ok := strings.Cut(h.About.Date, "-"); ok {
		fmt.Fprintf(&b, ", year = {%s}", year)
	}
	fmt.Fprintf(&b, ", note = {%d games of plan %s}}", m.Games, h.Hash)
	return b.String()
}

// croissantMedia returns the media type of the data files.
func croissantMedia(p plan.Plan) string {
	if p.Format == plan.Arrow {
		return arrowMedia
	}
	return parquetMedia
}

// croissantFileSets returns one file set for each table.
func croissantFileSets(p plan.Plan) (list []croissantFile) {
	for _, table := range plan.Tables {
		list = append(list, croissantFile{
			Type: "cr:FileSet", ID: fileSetID(table), Name: fileSetID(table),
			Description: "All files of the table " + table + ".", Media: croissantMedia(p), Includes: path.Join(table, "*."+p.Format),
		})
	}
	return list
}

// splitRecords returns the record set of the splits.
func splitRecords(m *record.Manifest) croissantRecordSet {
	urls := map[string]string{plan.Train: "cr:TrainingSplit", plan.Validation: "cr:ValidationSplit"}
	r := croissantRecordSet{
		Type: "cr:RecordSet", ID: "splits", Name: "splits", DataType: "cr:Split",
		Description: "The splits. No game is in two splits.",
		Key:         []croissantID{{"splits/name"}},
		Field: []croissantField{
			textField("splits/name", "Name of the split.", "sc:Text"),
			textField("splits/url", "Purpose of the split.", "sc:URL"),
		},
	}
	for _, s := range m.Splits {
		r.Data = append(r.Data, map[string]any{"splits/name": s.Split, "splits/url": urls[s.Split]})
	}
	return r
}

// namedRecords returns the record set that names the numbers of results or reasons. Numbers
// without a name are omitted, except 0.
func namedRecords(id string, names []string, own []encode.NamedReason) croissantRecordSet {
	number, name := id+"/number", id+"/name"
	r := croissantRecordSet{
		Type: "cr:RecordSet", ID: id, Name: id, DataType: "sc:Enumeration",
		Description: "The " + id + " by number. An empty name means none.",
		Key:         []croissantID{{number}},
		Field:       []croissantField{textField(number, "Number in the data files.", "sc:Integer"), textField(name, "Meaning of the number.", "sc:Text")},
	}
	for i, n := range names {
		if i == 0 || n != "" {
			r.Data = append(r.Data, map[string]any{number: i, name: n})
		}
	}
	for _, o := range own {
		r.Data = append(r.Data, map[string]any{number: int(o.Reason), name: o.Name})
	}
	return r
}
