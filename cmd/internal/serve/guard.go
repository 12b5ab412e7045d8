package serve

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"selfplay/cmd/internal/serve/web"
)

// maxBody is the size in bytes of the largest body of a request.
const maxBody = 64 << 10

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
	names  []string // that a Host may have, in lower case
	token  *token   // nil if clients need none
	origin *http.CrossOriginProtection
}

func newGuard(next http.Handler, names []string, secret string) *guard {
	return &guard{next, names, newToken(secret), http.NewCrossOriginProtection()}
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, h := range headers {
		w.Header().Set(h[0], h[1])
	}
	if err := g.check(w, r); err != nil {
		web.WriteError(w, r, err)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	g.next.ServeHTTP(w, r)
}

// check returns why a request is not answered.
func (g *guard) check(w http.ResponseWriter, r *http.Request) error {
	if !g.knowsHost(r.Host) {
		return web.Errorf(http.StatusMisdirectedRequest, "host %.100q: want an address, localhost or a name given with --host", r.Host)
	}
	if g.token != nil && !g.token.isIn(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="selfplay", charset="UTF-8"`)
		return web.Errorf(http.StatusUnauthorized, "want the token, as Authorization: Bearer TOKEN or as the password of any user")
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default:
		w.Header().Set("Allow", "GET, HEAD")
		return web.Errorf(http.StatusMethodNotAllowed, "method %.20q: want GET or HEAD", r.Method)
	}
	if err := g.origin.Check(r); err != nil {
		return web.Errorf(http.StatusForbidden, "a page of another site sent this request")
	}
	return nil
}

// knowsHost reports whether a Host is an address or a known name. A page of another site can
// make a browser send requests here under a name of its own, but not under an address.
func (g *guard) knowsHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return slices.Contains(g.names, strings.TrimSuffix(strings.ToLower(host), "."))
}
