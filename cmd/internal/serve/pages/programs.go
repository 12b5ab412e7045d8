package pages

import (
	"encoding/json"
	"net/http"
	"strings"

	"selfplay/cmd/internal/serve/api"
	"selfplay/cmd/internal/serve/web"
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
	if err := web.ParamsOf(r).Err(); err != nil {
		return err
	}
	page, err := newProgramsPage(api.OpenAPI())
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
