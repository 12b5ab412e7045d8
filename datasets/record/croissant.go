package record

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/plan"
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
func writeCroissant(m *Manifest, w *bufio.Writer, file *plan.File) {
	head, tail, found := bytes.Cut(croissantWithoutFiles(m, file), []byte(distributionHead))
	if !found {
		panic("datasets: croissant.json without a distribution")
	}
	_, _ = w.Write(head)
	_, _ = w.WriteString(distributionHead)
	for _, s := range m.Files {
		for _, f := range s.Files {
			canonical.WriteElement(w, croissantFile{
				Type: "cr:FileObject", ID: f.Name, Name: f.Name, URL: f.Name,
				Size: fmt.Sprintf("%d B", f.Bytes), Media: croissantMedia(file.Plan), SHA256: f.SHA256,
			})
			_ = w.WriteByte(',') // the file sets follow
		}
	}
	_, _ = w.Write(tail)
}

// croissantWithoutFiles returns croissant.json without the data files.
func croissantWithoutFiles(m *Manifest, file *plan.File) []byte {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", ConformsTo: "http://mlcommons.org/croissant/1.0",
		Name: file.About.Title, Description: summary(m, file), Identifier: "selfplay plan " + file.Hash, Version: version(m),
		DatePublished: file.About.Date, URL: file.About.URL, License: file.About.Licence, CiteAs: citation(m, file), Keywords: keywords(file.Plan),
		Distribution: croissantFileSets(file.Plan),
		RecordSet: []croissantRecordSet{
			splitRecords(m), namedRecords("results", file.Description.Results, nil), namedRecords("reasons", file.Description.Reasons, file.Description.OwnReasons),
			tableRecords(file.Plan, plan.Positions, "One row per decision.", file.Description.Columns, "game", "ply"),
			tableRecords(file.Plan, plan.Games, "One row per game; its positions can be made again from it.", file.Plan.GameColumns(), "game"),
		},
	}
	if file.About.Creator != "" {
		c.Creator = &croissantCreator{"sc:Organization", file.About.Creator}
	}
	return canonical.MarshalIndented(c)
}

// version returns the version of the dataset by the rules of Croissant. A larger dataset
// of the same plan adds games, which makes a higher minor version.
func version(m *Manifest) string { return fmt.Sprintf("%d.%d.0", m.Format, m.Games) }

// citation returns a BibTeX entry. It has no author or year if the creator or the date is
// not given.
func citation(m *Manifest, file *plan.File) string {
	var b strings.Builder
	text := strings.NewReplacer("{", "", "}", "", `\`, "").Replace // without characters that end a field
	fmt.Fprintf(&b, "@misc{selfplay_%.12s, title = {%s}", file.Hash, text(file.About.Title))
	if file.About.Creator != "" {
		fmt.Fprintf(&b, ", author = {%s}", text(file.About.Creator))
	}
	if year, _, ok := strings.Cut(file.About.Date, "-"); ok {
		fmt.Fprintf(&b, ", year = {%s}", year)
	}
	fmt.Fprintf(&b, ", note = {%d games of plan %s}}", m.Games, file.Hash)
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
func splitRecords(m *Manifest) croissantRecordSet {
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

// The part of the Croissant JSON that croissant.json uses.
type (
	croissant struct {
		Context       json.RawMessage      `json:"@context"`
		Type          string               `json:"@type"`
		ConformsTo    string               `json:"conformsTo"`
		Name          string               `json:"name"`
		Description   string               `json:"description"`
		Identifier    string               `json:"identifier"`
		Version       string               `json:"version"`
		DatePublished string               `json:"datePublished,omitempty"`
		URL           string               `json:"url,omitempty"`
		License       string               `json:"license,omitempty"`
		Creator       *croissantCreator    `json:"creator,omitempty"`
		CiteAs        string               `json:"citeAs"`
		Keywords      []string             `json:"keywords"`
		Distribution  []croissantFile      `json:"distribution"`
		RecordSet     []croissantRecordSet `json:"recordSet"`
	}
	croissantCreator struct {
		Type string `json:"@type"`
		Name string `json:"name"`
	}
	// croissantFile is a file, or a set of files with the same columns. The files of a set
	// are named relative to croissant.json.
	croissantFile struct {
		Type        string `json:"@type"`
		ID          string `json:"@id"`
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		URL         string `json:"contentUrl,omitempty"`
		Size        string `json:"contentSize,omitempty"`
		Media       string `json:"encodingFormat"`
		Includes    string `json:"includes,omitempty"`
		SHA256      string `json:"sha256,omitempty"`
	}
	croissantRecordSet struct {
		Type        string           `json:"@type"`
		ID          string           `json:"@id"`
		Name        string           `json:"name"`
		Description string           `json:"description"`
		DataType    string           `json:"dataType,omitempty"`
		Key         []croissantID    `json:"key"`
		Field       []croissantField `json:"field"`
		Data        []map[string]any `json:"data,omitempty"` // json.Marshal sorts the keys
	}
	croissantField struct {
		Type        string               `json:"@type"`
		ID          string               `json:"@id"`
		Name        string               `json:"name"`
		Description string               `json:"description"`
		DataType    []string             `json:"dataType"`
		Repeated    bool                 `json:"repeated,omitempty"`   // any array, in Croissant 1.0
		IsArray     bool                 `json:"isArray,omitempty"`    // the same in Croissant 1.1,
		ArrayShape  string               `json:"arrayShape,omitempty"` // with its shape; -1 for any length
		Source      *croissantSource     `json:"source,omitempty"`
		References  *croissantReferences `json:"references,omitempty"`
	}
	croissantSource struct {
		FileSet   croissantID       `json:"fileSet"`
		Extract   map[string]string `json:"extract"`
		Transform map[string]string `json:"transform,omitempty"`
	}
	croissantReferences struct {
		Field croissantID `json:"field"`
	}
	croissantID struct {
		ID string `json:"@id"`
	}
)

// tableRecords returns the record set of a table: its columns, and the split, which is
// part of the file name.
func tableRecords(p plan.Plan, table, doc string, columns []encode.Column, key ...string) croissantRecordSet {
	r := croissantRecordSet{Type: "cr:RecordSet", ID: table, Name: table, Description: doc}
	for _, k := range key {
		r.Key = append(r.Key, croissantID{path.Join(table, k)})
	}
	set := croissantID{fileSetID(table)}
	split := textField(path.Join(table, "split"), "The split, from the file name.", "sc:Text")
	split.Source = &croissantSource{set, map[string]string{"fileProperty": "filename"},
		map[string]string{"regex": fmt.Sprintf(`^(%s|%s)-.+\.%s$`, plan.Train, plan.Validation, p.Format)}}
	split.References = &croissantReferences{croissantID{"splits/name"}}
	r.Field = append(r.Field, split)
	for _, c := range columns {
		f := columnField(p, c)
		f.ID = path.Join(table, c.Name)
		f.Source = &croissantSource{FileSet: set, Extract: map[string]string{"column": c.Name}}
		r.Field = append(r.Field, f)
	}
	return r
}

// columnField returns the field of a column: its type and shape. The type of a number has
// two names, for an integer and for its width.
func columnField(p plan.Plan, c encode.Column) croissantField {
	f := croissantField{Type: "cr:Field", Name: c.Name, Description: c.Doc, DataType: croissantTypes[c.Kind]}
	switch {
	case c.Kind == encode.String || c.Len == encode.Scalar:
	case c.Len > 0 && p.BoardType == plan.Packed:
		f.Description += fmt.Sprintf("; stored as the little-endian bytes of %s", c.Type())
		f.DataType = croissantTypes[encode.String] // Croissant has no type for bytes
	default: // an array, or a list, whose length encode.Var is -1
		f.Repeated, f.IsArray, f.ArrayShape = true, true, fmt.Sprint(c.Len)
	}
	return f
}

// croissantTypes are the Croissant types of the column kinds.
var croissantTypes = map[encode.Kind][]string{
	encode.Bool:   {"sc:Boolean"},
	encode.Uint8:  {"sc:Integer", "cr:UInt8"},
	encode.Uint16: {"sc:Integer", "cr:UInt16"},
	encode.Uint32: {"sc:Integer", "cr:UInt32"},
	encode.Uint64: {"sc:Integer", "cr:UInt64"},
	encode.Int8:   {"sc:Integer", "cr:Int8"},
	encode.Int16:  {"sc:Integer", "cr:Int16"},
	encode.String: {"sc:Text"},
}

func fileSetID(table string) string { return table + "-files" }

func textField(id, doc, dataType string) croissantField {
	return croissantField{Type: "cr:Field", ID: id, Name: path.Base(id), Description: doc, DataType: []string{dataType}}
}
