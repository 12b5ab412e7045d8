package serve

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/netip"
	"slices"
	"strings"

	"selfplay/cmd/internal/address"
)

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
