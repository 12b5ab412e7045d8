package serve

import (
	"log/slog"
	"net/http"
	"strings"

	"selfplay/cmd/internal/serve/web"
)

// router passes requests on to routes. Where no route takes one, it answers in JSON: 404 below /api/,
// and 405 where a route takes another method. The other paths that are unknown have a page.
type router struct{ mux *http.ServeMux }

func newRouter(routes []web.Route, log *slog.Logger) *router {
	mux := http.NewServeMux()
	for _, t := range routes {
		mux.Handle(t.Pattern, t.Handler(log))
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
		web.WriteError(w, r, web.NotFound("nothing at %.200q: /api/openapi.json describes what there is", r.URL.Path))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	web.WriteError(w, r, web.Errorf(http.StatusMethodNotAllowed, "method %.20q: want %s", r.Method, strings.Join(allowed, " or ")))
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
