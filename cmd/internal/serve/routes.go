package serve

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/replay"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/pages"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// routes returns all routes of the server.
func (s *Server) routes() []route {
	return slices.Concat(
		(&api{s.catalog, s.games}).routes(),
		(&feed{catalog: s.catalog, log: s.o.Log}).routes(),
		(&boardArrays{known: s.o.Known.Games, games: newBoardStore(maxBoards, boardAge), ofDataset: s.position}).routes(),
		(&downloads{catalog: s.catalog, games: s.games}).routes(),
		teacher{s.o.Known.Games}.routes(),
		newAnalyst(s.o.Known, defaultAnalysis, networks.Stored(s.dirs)).routes(),
		s.pages(),
	)
}

// pages returns the routes of the pages.
func (s *Server) pages() (list []route) {
	p := &pages.Pages{
		Known: s.o.Known, Datasets: s.catalog, Games: s.games, Reports: &catalog.Reports{Log: s.o.Log},
		OpenAPI: openAPI, Formats: formatsForPages,
	}
	for pattern, handle := range p.Handlers() {
		list = append(list, route{pattern, handle, p.Failed})
	}
	return append(list, route{pattern: "GET /static/{file...}", handle: p.Static()})
}

// position returns a position of a game of a dataset.
func (s *Server) position(name string) (state boardState, err error) {
	at, err := s.games.Position(name)
	if err != nil {
		return state, err
	}
	p, err := replay.At(at.Shape, at.Record, at.Ply)
	if err != nil {
		return state, err
	}
	return boardState{Game: at.Shape.Game, Variant: at.Shape.Variant, Text: p.Position}, nil
}

// dirs returns the directories of all datasets.
func (s *Server) dirs() (list []string) {
	for _, d := range s.catalog.List() {
		list = append(list, d.Dir)
	}
	return list
}

// router passes requests on to routes. Where no route takes one, it answers in JSON: 404 below /api/,
// and 405 where a route takes another method. The other paths that are unknown have a page.
type router struct{ mux *http.ServeMux }

func newRouter(routes []route, log *slog.Logger) *router {
	mux := http.NewServeMux()
	for _, t := range routes {
		mux.Handle(t.pattern, t.handler(log))
	}
	return &router{mux}
}

func (t *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.takes(r, r.Method) {
		t.mux.ServeHTTP(w, r)
		return
	}
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
		if t.takes(r, method) {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		writeError(w, r, catalog.NotFound("nothing at %.200q: /api/openapi.json describes what there is", r.URL.Path))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	writeError(w, r, catalog.Errorf(http.StatusMethodNotAllowed, "method %.20q: want %s", r.Method, strings.Join(allowed, " or ")))
}

// takes reports whether a route takes a request with a method. The page of unknown paths is none of
// /api/.
func (t *router) takes(r *http.Request, method string) bool {
	probe := *r
	probe.Method = method
	_, pattern := t.mux.Handler(&probe)
	_, path, _ := strings.Cut(pattern, " ")
	return path != "" && !(path == "/" && strings.HasPrefix(r.URL.Path, "/api/"))
}

// route is a path of the server and its handler.
type route struct {
	// pattern is that of an http.ServeMux, with its method: "GET /api/datasets". A pattern
	// with GET answers HEAD too.
	pattern string
	handle  func(w http.ResponseWriter, r *http.Request) error
	// failed answers a request whose handler returned an error; nil answers in JSON. The
	// status is that of catalog.Status(err).
	failed func(w http.ResponseWriter, r *http.Request, err error)
}

// handler returns the handler of the route. Errors that are not meant for clients, and panics, go to the log.
// Answers with status 503 have the header Retry-After.
func (t route) handler(log *slog.Logger) http.Handler {
	failed := t.failed
	if failed == nil {
		failed = writeError
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := catch(func() error { return t.handle(w, r) })
		if err == nil || r.Context().Err() != nil { // the client is gone
			return
		}
		switch status := catalog.Status(err); {
		case status == http.StatusServiceUnavailable:
			askLater(w)
		case status >= http.StatusInternalServerError:
			log.Error("answer request", "method", r.Method, "path", r.URL.Path, "error", err)
		}
		failed(w, r, err)
	})
}

// retryAfter is when a client may repeat a request, in seconds.
const retryAfter = "2"

// askLater sets the header Retry-After, unless the handler has set it.
func askLater(w http.ResponseWriter) {
	if w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", retryAfter)
	}
}

// catch is goroutine.Catch, but lets abort pass.
func catch(f func() error) error {
	err := goroutine.Catch(f)
	if caught := (*goroutine.PanicError)(nil); errors.As(err, &caught) && caught.Value == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
	return err
}

// abort logs why an answer that has begun cannot be finished, and closes the connection
// without the end of the answer. It does not return.
func abort(log *slog.Logger, r *http.Request, err error) {
	if r.Context().Err() == nil {
		log.Error("break answer off", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	panic(http.ErrAbortHandler)
}

// failure is the JSON of an answer that is not 200.
type failure struct {
	Status int    `json:"status"`
	Error  string `json:"error"`
}

// write answers with a text of a MIME type. Nothing of it is cached: datasets grow.
func write(w http.ResponseWriter, status int, mime string, text []byte) {
	h := w.Header()
	h.Set("Content-Type", mime+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone
}

// writeJSON answers with one line of JSON.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	var b bytes.Buffer
	if err := encode.NewRoundedJSON(&b).Encode(v); err != nil {
		return err
	}
	write(w, status, "application/json", b.Bytes())
	return nil
}

// answerJSON returns the handler that answers with the JSON of what f returns.
func answerJSON[T any](f func(r *http.Request) (T, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := f(r)
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, v)
	}
}

// writeError answers with the status and the message of an error.
func writeError(w http.ResponseWriter, _ *http.Request, err error) {
	_ = writeJSON(w, catalog.Status(err), failure{catalog.Status(err), catalog.Message(err)}) // a failure has a JSON
}

// maxBody is the longest body of a request in bytes. An array of CoTuLenh takes about 700.
const maxBody = 64 << 10

// readBody decodes the body of a request, which must be one JSON object.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return catalog.Errorf(http.StatusRequestEntityTooLarge, "the body is longer than %d bytes", tooLong.Limit)
	}
	if err == nil {
		err = ask.Decode(body, into)
	}
	return invalid(err)
}

// invalid returns the error of a request that means nothing: status 400, with the kind of err. It
// returns nil for nil.
func invalid(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(catalog.BadRequest("%v", err), err)
}

// refusal is the JSON of a request that is refused.
type refusal struct {
	Status int `json:"status"`
	ask.Refusal
}

// refuse answers with the status, the message, the kind and the place of an error. It is the
// failed of a route.
func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	f := refusal{catalog.Status(err), ask.Refuse(err)}
	f.Error = catalog.Message(err)
	_ = writeJSON(w, f.Status, f) // a refusal has a JSON
}
