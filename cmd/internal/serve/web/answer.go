package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/encode"
)

// Failure is the JSON of an answer that is not 200.
type Failure struct {
	Status int    `json:"status"`
	Error  string `json:"error"`
}

// Write answers with a text of a MIME type. Nothing of it is cached: datasets grow.
func Write(w http.ResponseWriter, status int, mime string, text []byte) {
	h := w.Header()
	h.Set("Content-Type", mime+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may be gone
}

// WriteJSON answers with one line of JSON.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	var b bytes.Buffer
	if err := encode.NewRoundedJSON(&b).Encode(v); err != nil {
		return err
	}
	Write(w, status, "application/json", b.Bytes())
	return nil
}

// JSON returns the handler that answers with the JSON of what f returns.
func JSON[T any](f func(r *http.Request) (T, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := f(r)
		if err != nil {
			return err
		}
		return WriteJSON(w, http.StatusOK, v)
	}
}

// WriteError answers with the status and the message of an error.
func WriteError(w http.ResponseWriter, _ *http.Request, err error) {
	_ = WriteJSON(w, Status(err), Failure{Status(err), Message(err)}) // a Failure has a JSON
}

// clientError is an error that a client reads.
type clientError struct {
	status  int
	message string
}

func (e *clientError) Error() string { return e.message }

// Errorf returns an error with a status of HTTP and a message for the client.
func Errorf(status int, format string, args ...any) error {
	return &clientError{status, fmt.Sprintf(format, args...)}
}

// NotFound returns an error with status 404.
func NotFound(format string, args ...any) error { return Errorf(http.StatusNotFound, format, args...) }

// BadRequest returns an error with status 400.
func BadRequest(format string, args ...any) error {
	return Errorf(http.StatusBadRequest, format, args...)
}

// TryAgain returns an error with status 503: the same request may succeed in a moment.
func TryAgain(format string, args ...any) error {
	return Errorf(http.StatusServiceUnavailable, format+": try again in a moment", args...)
}

// Status returns the status that answers an error. Errors of datasets are 500 or 501, or 404 for a
// link out of the dataset; an error without a status of its own is 500.
func Status(err error) int {
	if own := (*clientError)(nil); errors.As(err, &own) {
		return own.status
	}
	switch {
	case errors.Is(err, disk.ErrOutside):
		return http.StatusNotFound
	case errors.Is(err, datasets.ErrUnsupported):
		return http.StatusNotImplemented
	}
	return http.StatusInternalServerError
}

// Message returns what a client may read of an error. Errors that are not meant for clients may
// name files outside of datasets, so only the log has them.
func Message(err error) string {
	if own := (*clientError)(nil); errors.As(err, &own) {
		return own.message
	}
	switch {
	case errors.Is(err, disk.ErrOutside):
		return "a file of the dataset is a link that leads out of it: the server does not follow it"
	case errors.Is(err, datasets.ErrUnsupported):
		return "this program cannot read the dataset; the log of the server says why"
	case errors.Is(err, datasets.ErrCorrupt):
		return "the dataset is damaged; export verify lists the damage"
	}
	return "the server could not answer; its log says why"
}
