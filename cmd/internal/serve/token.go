package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	"selfplay/datasets/disk"
)

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
