package serve

import (
	"net/http"

	"selfplay/cmd/internal/serve/web"
)

// headers are those of all answers.
var headers = [][2]string{
	{"Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
}

// guard passes on the requests that may be answered.
type guard struct {
	next   http.Handler
	hosts  hosts
	token  *token // nil if clients need none
	origin *http.CrossOriginProtection
}

func newGuard(next http.Handler, h hosts, secret string) *guard {
	return &guard{next, h, newToken(secret), http.NewCrossOriginProtection()}
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, h := range headers {
		w.Header().Set(h[0], h[1])
	}
	if err := g.check(w, r); err != nil {
		web.WriteError(w, r, err)
		return
	}
	g.next.ServeHTTP(w, r)
}

// check returns why a request is not answered.
func (g *guard) check(w http.ResponseWriter, r *http.Request) error {
	if !g.hosts.know(r.Host) {
		return web.Errorf(http.StatusMisdirectedRequest, "host %.100q: want an address, localhost or a name given with --host", r.Host)
	}
	if g.token != nil && !g.token.isIn(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="selfplay", charset="UTF-8"`)
		return web.Errorf(http.StatusUnauthorized, "want the token, as Authorization: Bearer TOKEN or as the password of any user")
	}
	if g.origin.Check(r) != nil || isUnseen(r) {
		return web.Errorf(http.StatusForbidden, "a page of another site sent this request")
	}
	return nil
}

// isUnseen reports whether a page of another site sends a request without its reader, for an
// image or a frame. Requests start work. Links of other sites lead here: what a reader follows is
// a navigation of the whole page. Old browsers do not say what a navigation is for.
func isUnseen(r *http.Request) bool {
	site, dest := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
	if site != "cross-site" && site != "same-site" {
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || dest != "" && dest != "document"
}
