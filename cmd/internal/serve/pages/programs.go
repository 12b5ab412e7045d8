package pages

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"selfplay/cmd/internal/serve/catalog"
)

// programsPage shows the description of the server for programs.
type programsPage struct {
	Origin string
	About  string
	Routes []programRoute
	Types  []programType
}

// programRoute is a method of a path.
type programRoute struct {
	ID, Method, Path string
	Summary, About   string
	Params           []programParam
	Body, Answer     string // names of types, "" for none
}

// programType is a type of answers or bodies.
type programType struct {
	Name    string
	Members []programParam
}

// programParam is a parameter, or a member of an object.
type programParam struct {
	Name, Type, About string
	Link              string // the name of a type that Type mentions
	Required          bool
}

func (p *Pages) programs(w http.ResponseWriter, r *http.Request) error {
	if err := catalog.ParamsOf(r).Err(); err != nil {
		return err
	}
	page, err := newProgramsPage(p.OpenAPI)
	if err != nil {
		return err
	}
	page.Origin = origin(r)
	return write(w, http.StatusOK, "programs", &frame{
		Title: "HTTP for programs", Crumbs: []crumb{{"Datasets", "/"}, {"HTTP for programs", ""}}, Page: page,
	})
}

// newProgramsPage reads an OpenAPI description.
func newProgramsPage(description []byte) (*programsPage, error) {
	var d openAPI
	if err := json.Unmarshal(description, &d); err != nil {
		return nil, err
	}
	page := &programsPage{About: d.Info.Description}
	err := members(d.Paths, func(path string, methods json.RawMessage) error {
		return members(methods, func(method string, text json.RawMessage) error {
			var o openAPIOperation
			err := json.Unmarshal(text, &o)
			page.Routes = append(page.Routes, d.route(strings.ToUpper(method), path, &o))
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return page, members(d.Components.Schemas, func(name string, text json.RawMessage) error {
		var s openAPISchema
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		list, err := s.members()
		page.Types = append(page.Types, programType{name, list})
		return err
	})
}

// route returns a method of a path.
func (d *openAPI) route(method, path string, o *openAPIOperation) programRoute {
	id := strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "", ".", "-").Replace(path), "-")
	r := programRoute{ID: strings.ToLower(method) + "-" + id, Method: method, Path: path, Summary: o.Summary, About: o.Description}
	for _, q := range o.Parameters {
		if q.Ref != "" {
			q = d.Components.Parameters[nameOf(q.Ref)]
		}
		text, link := q.Schema.text()
		r.Params = append(r.Params, programParam{q.Name, text, q.Description, link, q.Required})
	}
	r.Body, r.Answer = o.RequestBody.schema(), o.Responses["200"].schema()
	return r
}

// openAPI is the part of an OpenAPI description that the page shows.
type openAPI struct {
	Info       struct{ Description string }
	Paths      json.RawMessage
	Components struct {
		Parameters map[string]openAPIParam
		Schemas    json.RawMessage
	}
}

type openAPIParam struct {
	Ref         string `json:"$ref"`
	Name        string
	Description string
	Required    bool
	Schema      openAPISchema
}

type openAPIOperation struct {
	Summary, Description string
	Parameters           []openAPIParam
	RequestBody          openAPIContent
	Responses            map[string]openAPIContent
}

type openAPIContent struct {
	Content map[string]struct{ Schema openAPISchema }
}

type openAPISchema struct {
	Ref         string `json:"$ref"`
	Type        any    // a name, or a list of names
	Description string
	Enum        []any
	Items       *openAPISchema
	Properties  json.RawMessage
	Required    []string
}

// members calls f with the members of a JSON object in their order, which a map does not keep.
func members(object json.RawMessage, f func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := f(name.(string), value); err != nil {
			return err
		}
	}
	return nil
}

// schema returns the name of the type of a content, "" if it has none.
func (c openAPIContent) schema() string {
	for _, kind := range c.Content {
		return nameOf(kind.Schema.Ref)
	}
	return ""
}

// nameOf returns the last part of a reference.
func nameOf(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// members returns the members of an object.
func (s *openAPISchema) members() (list []programParam, err error) {
	if s.Properties == nil {
		text, link := s.text()
		return []programParam{{Type: text, About: s.Description, Link: link}}, nil
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	err = members(s.Properties, func(name string, text json.RawMessage) error {
		var m openAPISchema
		err := json.Unmarshal(text, &m)
		kind, link := m.text()
		list = append(list, programParam{name, kind, m.Description, link, required[name]})
		return err
	})
	return list, err
}

// text describes a type, and names the type that it mentions.
func (s *openAPISchema) text() (text, link string) {
	switch {
	case s.Ref != "":
		name := nameOf(s.Ref)
		return name, name
	case s.Items != nil:
		text, link = s.Items.text()
		return "array of " + text, link
	case len(s.Enum) > 0:
		return enumText(s.Enum), ""
	}
	return typeText(s.Type), ""
}

// typeText writes a type, which is a name or a list of names.
func typeText(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		return enumText(t)
	}
	return "any value"
}

// enumText lists values.
func enumText(values []any) string {
	var list []string
	for _, v := range values {
		text, err := json.Marshal(v)
		if err == nil {
			list = append(list, strings.Trim(string(text), `"`))
		}
	}
	return strings.Join(list, " or ")
}
