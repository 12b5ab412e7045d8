package derived

import (
	"fmt"
	"path"

	"selfplay/datasets/plan"
	"selfplay/encode"
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
