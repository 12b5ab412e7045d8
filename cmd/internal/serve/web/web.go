// Package web has what the handlers of the server share: routes, errors with a status,
// answers in JSON, and parameters of a query. It knows no dataset.
//
//	web.go     Route, and how errors of handlers are answered
//	answer.go  answers in JSON, handlers that give them, and errors that a client reads
//	params.go  parameters of a query
//
// A handler returns an error before it has written anything. What it cannot finish after that
// it ends with Abort, so that a client never takes half an answer for a whole one.
package web

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"selfplay/internal/goroutine"
)

// Route is a path of the server and its handler.
type Route struct {
	// Pattern is that of an http.ServeMux, with its method: "GET /api/datasets". A pattern
	// with GET answers HEAD too.
	Pattern string
	Handle  func(w http.ResponseWriter, r *http.Request) error
	// Failed answers a request whose handler returned an error; nil answers in JSON. The
	// status is that of Status(err).
	Failed func(w http.ResponseWriter, r *http.Request, err error)
}

// Handler returns the handler of the route. Errors that are not meant for clients, and panics, go to the log.
// Answers with status 503 have the header Retry-After.
func (t Route) Handler(log *slog.Logger) http.Handler {
	failed := t.Failed
	if failed == nil {
		failed = WriteError
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := catch(func() error { return t.Handle(w, r) })
		if err == nil || r.Context().Err() != nil { // the client is gone
			return
		}
		switch status := Status(err); {
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

// Path returns a path of a URL: its elements, escaped, behind slashes. Slashes in the last element stay.
func Path(elements ...string) string {
	var b strings.Builder
	for i, e := range elements {
		if i == len(elements)-1 {
			b.WriteString((&url.URL{Path: "/" + e}).EscapedPath())
			break
		}
		b.WriteString("/" + url.PathEscape(e))
	}
	return b.String()
}

// catch is goroutine.Catch, but lets Abort pass.
func catch(f func() error) error {
	err := goroutine.Catch(f)
	if caught := (*goroutine.PanicError)(nil); errors.As(err, &caught) && caught.Value == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
	return err
}

// Abort logs why an answer that has begun cannot be finished, and closes the connection
// without the end of the answer. It does not return.
func Abort(log *slog.Logger, r *http.Request, err error) {
	if r.Context().Err() == nil {
		log.Error("break answer off", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	panic(http.ErrAbortHandler)
}
