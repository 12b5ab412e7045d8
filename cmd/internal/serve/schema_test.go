package serve

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// description is an OpenAPI document, as far as the tests read it.
type description struct {
	OpenAPI string
	Paths   map[string]map[string]operation
	Schemas map[string]map[string]any
	raw     map[string]any
}

type operation struct {
	OperationID string
	Parameters  []parameter
	Responses   map[string]struct {
		Content map[string]struct{ Schema map[string]any }
	}
}

type parameter struct {
	Name, In string
	Ref      string `json:"$ref"`
}

func parseDescription(text []byte) (d description, err error) {
	if err := json.Unmarshal(text, &d); err != nil {
		return d, err
	}
	err = json.Unmarshal(text, &d.raw)
	return d, err
}

// lookUp returns what a reference such as #/components/schemas/Game names, nil if there is none.
func (d *description) lookUp(ref string) map[string]any {
	at := any(d.raw)
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		m, _ := at.(map[string]any)
		at = m[name]
	}
	m, _ := at.(map[string]any)
	return m
}

// keywords are those of JSON Schema that check knows. Others are an error, so that the description
// says nothing that is not checked.
var keywords = []string{"$ref", "type", "description", "properties", "required", "additionalProperties", "items", "enum", "pattern"}

// check returns an error if a value does not fit a schema.
func (d *description) check(schema map[string]any, v any, at string) error {
	for keyword := range schema {
		if !slices.Contains(keywords, keyword) {
			return fmt.Errorf("%s: unknown keyword %s", at, keyword)
		}
	}
	if ref, ok := schema["$ref"].(string); ok {
		found := d.lookUp(ref)
		if found == nil {
			return fmt.Errorf("%s: no schema %s", at, ref)
		}
		return d.check(found, v, at)
	}
	if err := checkType(schema["type"], v, at); err != nil {
		return err
	}
	if enum, ok := schema["enum"].([]any); ok && !slices.Contains(enum, v) {
		return fmt.Errorf("%s: %v is none of %v", at, v, enum)
	}
	if pattern, ok := schema["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v.(string)) {
		return fmt.Errorf("%s: %v does not match %s", at, v, pattern)
	}
	switch v := v.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, e := range v {
			if err := d.check(items, e, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		return d.checkObject(schema, v, at)
	}
	return nil
}

// checkType checks the type of a value: a name, or a list of names.
func checkType(want, v any, at string) error {
	var names []any
	switch want := want.(type) {
	case nil:
		return nil
	case string:
		names = []any{want}
	case []any:
		names = want
	}
	got := "null"
	switch v := v.(type) {
	case string:
		got = "string"
	case bool:
		got = "boolean"
	case []any:
		got = "array"
	case map[string]any:
		got = "object"
	case float64:
		if got = "number"; v == math.Trunc(v) && slices.Contains(names, "integer") {
			got = "integer"
		}
	}
	if !slices.Contains(names, any(got)) {
		return fmt.Errorf("%s: %s, want %v", at, got, names)
	}
	return nil
}

func (d *description) checkObject(schema, v map[string]any, at string) error {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, found := v[name.(string)]; !found {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, member := range v {
		in, known := properties[name].(map[string]any)
		if !known {
			if schema["additionalProperties"] == false {
				return fmt.Errorf("%s: %s is not described", at, name)
			}
			in, _ = schema["additionalProperties"].(map[string]any)
		}
		if err := d.check(in, member, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}
