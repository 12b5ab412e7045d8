package s3test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"testing"
)

// Answer returns an answer of the store with a status and a code of S3.
func Answer(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			fmt.Fprintf(w, "<Error><Code>%s</Code><Message>as the test wants</Message></Error>", code)
		}
	}
}

// Hang takes a request and does not answer until the client gives up.
func Hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // only then the end of the connection is noticed
	<-r.Context().Done()
}

// Stall returns an answer that takes no byte of the body, until the test ends.
func Stall(t *testing.T) http.HandlerFunc {
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-end:
		case <-r.Context().Done():
		}
	}
}

// CutOff breaks the connection.
func CutOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

var (
	listed = regexp.MustCompile(`(?s)<Contents>.*?</Contents>`)
	key    = regexp.MustCompile(`<Key>(.*?)</Key>`)
)

// ListWithout lets all listings lack some objects, as those of a store that lags.
func (s *Server) ListWithout(keys ...string) Fault {
	return func(r *http.Request) http.HandlerFunc {
		if r.Method != http.MethodGet || !r.URL.Query().Has("prefix") {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			s.Pass(answer, r)
			w.WriteHeader(answer.Code)
			_, _ = io.WriteString(w, listed.ReplaceAllStringFunc(answer.Body.String(), func(text string) string {
				if name, err := url.QueryUnescape(key.FindStringSubmatch(text)[1]); err == nil && slices.Contains(keys, name) {
					return ""
				}
				return text
			}))
		}
	}
}
