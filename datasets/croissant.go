package datasets

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"selfplay/encode"
)

// croissant.json describes a dataset to catalogues and loaders in the vocabulary of
// MLCommons Croissant 1.0: files with their sums, and the columns of both tables as
// fields of record sets. See https://docs.mlcommons.org/croissant/docs/croissant-spec.html.

// croissantContext abbreviates the vocabulary. It has every term that the reference
// implementation has in its own, since that warns of each that is missing.
//
//go:embed croissant_context.json
var croissantContext []byte

// arrowMedia and parquetMedia are the names of the file formats. Parquet's is not the
// registered one (application/vnd.apache.parquet), which no reader of Croissant knows.
const (
	arrowMedia   = "application/vnd.apache.arrow.file"
	parquetMedia = "application/x-parquet"
)

// The JSON of Croissant, as far as it is used here.
type (
	croissant struct {
		Context       json.RawMessage      `json:"@context"`
		Type          string               `json:"@type"`
		ConformsTo    string               `json:"conformsTo"`
		Name          string               `json:"name"`
		Description   string               `json:"description"`
		Identifier    string               `json:"identifier"`
		Version       string               `json:"version"`
		DatePublished string               `json:"datePublished"`
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
	// croissantFile is a file, or a set of files that have the same columns. A set
	// without a container is one of files beside croissant.json.
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
		Data        []map[string]any `json:"data,omitempty"` // keys are sorted when written
	}
	croissantField struct {
		Type        string               `json:"@type"`
		ID          string               `json:"@id"`
		Name        string               `json:"name"`
		Description string               `json:"description"`
		DataType    []string             `json:"dataType"`
		Repeated    bool                 `json:"repeated,omitempty"` // 1.0 says no more of an array,
		IsArray     bool                 `json:"isArray,omitempty"`  // 1.1 says its shape too
		ArrayShape  string               `json:"arrayShape,omitempty"`
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

// croissant returns croissant.json.
func (m *manifest) croissant(h *header) []byte {
	c := croissant{
		Context: croissantContext, Type: "sc:Dataset", ConformsTo: "http://mlcommons.org/croissant/1.0",
		Name: h.about.Title, Description: m.summary(h), Identifier: "selfplay plan " + h.hash, Version: m.version(),
		DatePublished: h.about.Date, URL: h.about.URL, License: h.about.Licence, CiteAs: m.citation(h), Keywords: keywords(h.plan),
		Distribution: m.croissantFiles(h.plan),
		RecordSet: []croissantRecordSet{
			m.splitRecords(), namedRecords("results", h.description.Results), namedRecords("reasons", h.description.Reasons),
			tableRecords(h.plan, positionsName, "One row a decision.", h.description.Columns, "game", "ply"),
			tableRecords(h.plan, gamesName, "One row a game, from which its positions can be made again.", GameColumns(), "game"),
		},
	}
	if h.about.Creator != "" {
		c.Creator = &croissantCreator{"sc:Organization", h.about.Creator}
	}
	return encodeJSON(c, "  ")
}

// version follows the rules of Croissant: a larger dataset of the same plan has the
// same games and more, which is a higher minor version.
func (m *manifest) version() string { return fmt.Sprintf("%d.%d.0", FormatVersion, m.Games) }

// citation is a BibTeX entry of what is known: of the year nothing, unless a date was
// given.
func (m *manifest) citation(h *header) string {
	var b strings.Builder
	text := strings.NewReplacer("{", "", "}", "", `\`, "").Replace // what would end a field
	fmt.Fprintf(&b, "@misc{selfplay_%.12s, title = {%s}", h.hash, text(h.about.Title))
	if h.about.Creator != "" {
		fmt.Fprintf(&b, ", author = {%s}", text(h.about.Creator))
	}
	if year, _, ok := strings.Cut(h.about.Date, "-"); ok && h.about.Date != defaultDate {
		fmt.Fprintf(&b, ", year = {%s}", year)
	}
	fmt.Fprintf(&b, ", note = {%d games of plan %s}}", m.Games, h.hash)
	return b.String()
}

// croissantFiles returns every file, and what they are together.
func (m *manifest) croissantFiles(p Plan) []croissantFile {
	media := parquetMedia
	if p.Format == Arrow {
		media = arrowMedia
	}
	var list []croissantFile
	for _, s := range m.Files {
		for _, d := range s.tables() {
			list = append(list, croissantFile{
				Type: "cr:FileObject", ID: d.Name, Name: d.Name, URL: d.Name,
				Size: fmt.Sprintf("%d B", d.Bytes), Media: media, SHA256: d.SHA256,
			})
		}
	}
	for _, table := range tables {
		list = append(list, croissantFile{
			Type: "cr:FileSet", ID: fileSetID(table), Name: fileSetID(table),
			Description: "All files of the table " + table + ".", Media: media, Includes: path.Join(table, "*."+p.Format),
		})
	}
	return list
}

func fileSetID(table string) string { return table + "-files" }

// splitRecords lists the splits that there are.
func (m *manifest) splitRecords() croissantRecordSet {
	urls := map[string]string{Train: "cr:TrainingSplit", Validation: "cr:ValidationSplit"}
	r := croissantRecordSet{
		Type: "cr:RecordSet", ID: "splits", Name: "splits", DataType: "cr:Split",
		Description: "The splits. No game is in two of them.",
		Key:         []croissantID{{"splits/name"}},
		Field: []croissantField{
			textField("splits/name", "Name of the split.", "sc:Text"),
			textField("splits/url", "What it is for.", "sc:URL"),
		},
	}
	for _, s := range m.Splits {
		r.Data = append(r.Data, map[string]any{"splits/name": s.Split, "splits/url": urls[s.Split]})
	}
	return r
}

// namedRecords lists the numbers of results or reasons with their names. Numbers without a
// name are left out, but for 0.
func namedRecords(id string, names []string) croissantRecordSet {
	number, name := id+"/number", id+"/name"
	r := croissantRecordSet{
		Type: "cr:RecordSet", ID: id, Name: id, DataType: "sc:Enumeration",
		Description: "The " + id + " by number; an empty name stands for none.",
		Key:         []croissantID{{number}},
		Field:       []croissantField{textField(number, "Number in the data.", "sc:Integer"), textField(name, "What it means.", "sc:Text")},
	}
	for i, n := range names {
		if i == 0 || n != "" {
			r.Data = append(r.Data, map[string]any{number: i, name: n})
		}
	}
	return r
}

func textField(id, doc, dataType string) croissantField {
	return croissantField{Type: "cr:Field", ID: id, Name: path.Base(id), Description: doc, DataType: []string{dataType}}
}

// tableRecords describes a table by its columns, and the split that a file's name says.
func tableRecords(p Plan, table, doc string, columns []encode.Column, key ...string) croissantRecordSet {
	r := croissantRecordSet{Type: "cr:RecordSet", ID: table, Name: table, Description: doc}
	for _, k := range key {
		r.Key = append(r.Key, croissantID{path.Join(table, k)})
	}
	set := croissantID{fileSetID(table)}
	split := textField(path.Join(table, "split"), "The split, from the name of the file.", "sc:Text")
	split.Source = &croissantSource{set, map[string]string{"fileProperty": "filename"},
		map[string]string{"regex": fmt.Sprintf(`^(%s|%s)-.+\.%s$`, Train, Validation, p.Format)}}
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

// columnField describes a column: its type, which for numbers is an integer and how
// wide it is, and its shape.
func columnField(p Plan, c encode.Column) croissantField {
	f := croissantField{Type: "cr:Field", Name: c.Name, Description: c.Doc, DataType: croissantTypes[c.Kind]}
	switch {
	case c.Kind == encode.String || c.Len == encode.Scalar:
	case c.Len > 0 && p.BoardType == Packed:
		f.Description += fmt.Sprintf("; stored as the bytes of %s, little endian", c.Type())
		f.DataType = croissantTypes[encode.String] // there is no type of bytes
	default: // an array, or a list of any length, which is encode.Var
		f.Repeated, f.IsArray, f.ArrayShape = true, true, fmt.Sprint(c.Len)
	}
	return f
}

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
