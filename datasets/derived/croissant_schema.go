package derived

import "encoding/json"

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
