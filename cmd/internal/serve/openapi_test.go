package serve

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"selfplay/cmd/internal/serve/servetest"
	"selfplay/internal/must"
)

// description is an OpenAPI document, as far as the tests read it.
type description struct {
	OpenAPI    string
	Paths      map[string]map[string]operation
	Components struct{ Parameters map[string]parameter }

	schemas *jsonschema.Compiler
}

type operation struct {
	OperationID string
	Parameters  []parameter
	Responses   map[string]struct{ Content map[string]any }
}

type parameter struct {
	Name, In string
	Ref      string `json:"$ref"`
}

// document is the name under which schemas are compiled.
const document = "openapi.json"

// described returns the description that a server gives of itself.
func described(t *testing.T, s *Server) (d description) {
	t.Helper()
	text := request(s, "GET", "/api/openapi.json", nil).Body.Bytes()
	if err := json.Unmarshal(text, &d); err != nil || !strings.HasPrefix(d.OpenAPI, "3.1.") {
		t.Fatalf("version %q, %v", d.OpenAPI, err)
	}
	whole := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)
	d.schemas = jsonschema.NewCompiler()
	must.Do(t, d.schemas.AddResource(document, whole))
	return d
}

// failureSchema is the place of the schema of errors.
var failureSchema = []string{"components", "schemas", "Failure"}

// check compares a JSON text with the schema at a place of the description.
func (d *description) check(text []byte, at ...string) error {
	location := document + "#"
	for _, name := range at {
		location += "/" + url.PathEscape(strings.ReplaceAll(name, "/", "~1"))
	}
	schema, err := d.schemas.Compile(location)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// checkAnswer compares the JSON of an answer with the description. It returns the id of the operation
// if that has succeeded.
func (d *description) checkAnswer(mux *http.ServeMux, e servetest.Exchange) (succeeded string, err error) {
	_, pattern := mux.Handler(e.Request)
	method, path := describedAs(pattern)
	o, isDescribed := d.Paths[path][method]
	status := "default"
	if e.Answer.Code == http.StatusOK {
		status, succeeded = "200", o.OperationID
	}
	switch _, isJSON := o.Responses[status].Content["application/json"]; {
	case isJSON:
		return succeeded, d.check(e.Answer.Body.Bytes(), "paths", path, method, "responses", status, "content", "application/json", "schema")
	case !isDescribed && strings.HasPrefix(e.Answer.Header().Get("Content-Type"), "application/json"):
		return "", d.check(e.Answer.Body.Bytes(), failureSchema...)
	}
	return succeeded, nil
}

// describedAs returns the method and the path under which the description has a pattern.
func describedAs(pattern string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	return strings.ToLower(method), strings.ReplaceAll(path, "...}", "}")
}

// forPrograms reports whether a path is described; the others are pages.
func forPrograms(path string) bool {
	for _, prefix := range []string{"/api/", "/files/", "/stream"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func TestDescriptionHasAllRoutes(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	var want, got []string
	for _, r := range s.routes() {
		if method, path := describedAs(r.pattern); forPrograms(path) {
			want = append(want, method+" "+path)
		}
	}
	d := described(t, s)
	for path, operations := range d.Paths {
		for method := range operations {
			got = append(got, method+" "+path)
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("described are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestErrorsOfTheAPIAreJSON: for paths that are unknown, and for methods that a path does not take.
func TestErrorsOfTheAPIAreJSON(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	d := described(t, s)
	refuse := func(method, path string, status int, allow string) {
		t.Helper()
		w := request(s, method, path, nil)
		if err := d.check(w.Body.Bytes(), failureSchema...); err != nil || w.Code != status || w.Header().Get("Allow") != allow {
			t.Errorf("%s %s: %d, Allow %q, %v", method, path, w.Code, w.Header().Get("Allow"), err)
		}
	}
	for _, path := range []string{"/api/", "/api/nope", "/api/datasets/", "/api/datasets/x/y"} {
		refuse("GET", path, 404, "")
		refuse("POST", path, 404, "")
		refuse("DELETE", path, 404, "")
	}
	for path, operations := range d.Paths {
		var allow []string
		for method := range operations {
			allow = append(allow, map[string]string{"get": "GET, HEAD", "post": "POST"}[method])
		}
		slices.Sort(allow)
		for _, method := range []string{"GET", "POST", "PUT", "OPTIONS"} {
			if operations[strings.ToLower(method)].OperationID == "" {
				refuse(method, example.Replace(path), 405, strings.Join(allow, ", "))
			}
		}
	}
}

// example fills the parameters of a path.
var example = strings.NewReplacer("{dataset}", "chess", "{game}", "3", "{position}", "chess:3@5", "{id}", "mine", "{name}", "plan.json")

// ignored are the parameters that histograms and openings take, so that the address of a page
// works there, and that change nothing or are refused.
var ignored = []string{"sort", "offset", "limit", "cursor", "position", "material"}

// TestDescriptionHasAllParameters: those that a handler lists when it refuses another one.
func TestDescriptionHasAllParameters(t *testing.T) {
	s, _ := serverOf(t, "chess", servetest.Dataset{Game: "chess"})
	d := described(t, s)
	list := regexp.MustCompile(`unknown parameter .* want (.*)"`)
	for at, operations := range d.Paths {
		if strings.HasPrefix(at, "/api/game/") || operations["get"].OperationID == "" {
			continue // they read no query
		}
		var want []string
		for _, p := range operations["get"].Parameters {
			if p.Ref != "" {
				p = d.Components.Parameters[path.Base(p.Ref)]
			}
			if p.In == "query" {
				want = append(want, p.Name)
			}
		}
		w := request(s, "GET", example.Replace(at)+"?column=plies&dataset=chess&unheard=of", nil)
		if slices.Sort(want); !slices.Contains(want, "column") {
			w = request(s, "GET", example.Replace(at)+"?unheard=of", nil)
		}
		if slices.Contains(want, "dataset") {
			w = request(s, "GET", at+"?dataset=chess&unheard=of", nil)
		}
		m := list.FindStringSubmatch(w.Body.String())
		if m == nil {
			t.Errorf("%s: %d %s", at, w.Code, w.Body)
			continue
		}
		var got []string
		for name := range strings.SplitSeq(m[1], ", ") {
			isIgnored := slices.Contains(ignored, name) && (strings.HasSuffix(at, "/histogram") || strings.HasSuffix(at, "/openings"))
			if name != "none" && !isIgnored {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: takes %q, described are %q", at, got, want)
		}
	}
}

// TestAnswersAreAsDescribed: those of each operation, and errors.
func TestAnswersAreAsDescribed(t *testing.T) {
	s, mux := servedSets(t), http.NewServeMux()
	d, left := described(t, s), map[string]bool{}
	for _, r := range s.routes() {
		mux.Handle(r.pattern, http.NotFoundHandler())
	}
	for _, operations := range d.Paths {
		for _, o := range operations {
			left[o.OperationID] = true
		}
	}
	for _, file := range []string{"testdata/api.txt", "testdata/refused.txt", "testdata/streams.txt"} {
		for _, e := range servetest.Converse(t, s, file) {
			succeeded, err := d.checkAnswer(mux, e)
			if err != nil {
				t.Errorf("%s %s: %v", e.Method, e.URL, err)
			}
			delete(left, succeeded)
			checkPolicy(t, e)
		}
	}
	if len(left) > 0 {
		t.Errorf("no answer of %q was compared", slices.Sorted(maps.Keys(left)))
	}
}

// TestSchemasRefuseOtherValues: the comparison with the description can fail.
func TestSchemasRefuseOtherValues(t *testing.T) {
	d := described(t, newServer(t, t.TempDir(), nil))
	for _, text := range []string{`{}`, `{"status":"404","error":""}`, `{"status":404,"error":"","more":1}`, `[]`} {
		if err := d.check([]byte(text), failureSchema...); err == nil {
			t.Errorf("%s is a Failure", text)
		}
	}
}

// TestDescriptionIsNotCached: it changes with the program, as other answers change with their datasets.
func TestDescriptionIsNotCached(t *testing.T) {
	w := request(newServer(t, t.TempDir(), nil), "GET", "/api/openapi.json", nil)
	if got := w.Header().Get("Cache-Control"); w.Code != 200 || got != "no-store" {
		t.Errorf("%d, Cache-Control %q", w.Code, got)
	}
}
