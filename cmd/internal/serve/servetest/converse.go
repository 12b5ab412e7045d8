package servetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"selfplay/engine/enginetest"
)

// Exchange is a request and its answer.
type Exchange struct {
	*http.Request
	Answer *httptest.ResponseRecorder
}

// Converse sends the requests of a golden file (see enginetest.Conversation) and compares the
// status, the type and some headers of each answer, and errors as a whole. A request is
// METHOD TARGET BODY, and its headers on lines of their own.
func Converse(t testing.TB, h http.Handler, path string) (list []Exchange) {
	t.Helper()
	enginetest.Conversation(t, path, "The server answers otherwise: clients may notice", func(text string) string {
		e := Exchange{newRequest(text), httptest.NewRecorder()}
		h.ServeHTTP(e.Answer, e.Request)
		list = append(list, e)
		return summary(e.Answer)
	})
	return list
}

// newRequest returns the request of a text.
func newRequest(text string) *http.Request {
	lines := strings.Split(text, "\n")
	words := strings.SplitN(lines[0], " ", 3)
	r := httptest.NewRequest(words[0], words[1], strings.NewReader(strings.Join(words[2:], "")))
	r.Host = "localhost:8642"
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	return r
}

// summary returns what a golden file has of an answer.
func summary(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	kind := w.Header().Get("Content-Type")
	fmt.Fprintln(&b, w.Code, kind)
	for _, name := range []string{"Allow", "Retry-After", "WWW-Authenticate"} {
		if value := w.Header().Get(name); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	if w.Code >= http.StatusBadRequest && strings.HasPrefix(kind, "application/json") {
		b.Write(w.Body.Bytes())
	}
	return b.String()
}
