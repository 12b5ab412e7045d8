package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"selfplay/cmd/internal/address"
	"selfplay/cmd/internal/serve/catalog"
	"selfplay/datasets/disk"
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
		writeError(w, r, err)
		return
	}
	g.next.ServeHTTP(w, r)
}

// check returns why a request is not answered.
func (g *guard) check(w http.ResponseWriter, r *http.Request) error {
	if !g.hosts.know(r.Host) {
		return catalog.Errorf(http.StatusMisdirectedRequest, "host %.100q: want an address, localhost or a name given with --host", r.Host)
	}
	if g.token != nil && !g.token.isIn(r) {
		w.Header().Set("WWW-Authenticate", `Basic realm="selfplay", charset="UTF-8"`)
		return catalog.Errorf(http.StatusUnauthorized, "want the token, as Authorization: Bearer TOKEN or as the password of any user")
	}
	if g.origin.Check(r) != nil || isUnseen(r) {
		return catalog.Errorf(http.StatusForbidden, "a page of another site sent this request")
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

// hosts are what the Host of a request may be. A page of another site can make a browser send
// requests here under a name of its own, but not under an address.
type hosts struct {
	names []string          // in lower case, without a dot at the end
	leaf  *x509.Certificate // nil without TLS; its names may have wildcards
}

// newHosts returns localhost, the name of the address, the names of the flags and those of the
// certificate, which may be nil.
func newHosts(o *Options, certificate *tls.Certificate) (h hosts) {
	h.names = []string{"localhost"}
	if host, _, err := address.Split(o.Addr); err == nil && host != "" {
		h.names = append(h.names, cleanHost(host))
	}
	for _, name := range o.Hosts {
		h.names = append(h.names, cleanHost(name))
	}
	if certificate != nil {
		h.leaf = certificate.Leaf
	}
	return h
}

// know reports whether a Host is an address or a known name.
func (h *hosts) know(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	name := cleanHost(host)
	return slices.Contains(h.names, name) || h.leaf != nil && h.leaf.VerifyHostname(name) == nil
}

// cleanHost returns the form of a name in which names are compared.
func cleanHost(name string) string { return strings.TrimSuffix(strings.ToLower(name), ".") }

// Sizes of a token in bytes. A short one could be guessed.
const (
	minToken = 16
	maxToken = 4096
)

// ReadToken returns the token in a file: its content without white space around it.
func ReadToken(path string) (string, error) {
	data, err := disk.ReadRegular(path, maxToken)
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	text := strings.TrimSpace(string(data))
	if len(text) < minToken || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("read token %s: want one line of %d or more letters, digits and signs of ASCII", path, minToken)
	}
	return text, nil
}

// token is the sum of a token: sums have one length, so that comparing them takes the same
// time for every guess.
type token [sha256.Size]byte

// newToken returns nil for an empty secret.
func newToken(secret string) *token {
	if secret == "" {
		return nil
	}
	t := token(sha256.Sum256([]byte(secret)))
	return &t
}

// isIn reports whether a request has the token: as a bearer token or as a password.
func (t *token) isIn(r *http.Request) bool {
	scheme, guess, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		_, guess, _ = r.BasicAuth()
	}
	sum := sha256.Sum256([]byte(guess))
	return subtle.ConstantTimeCompare(sum[:], t[:]) == 1
}
