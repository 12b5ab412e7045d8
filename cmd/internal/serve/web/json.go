package web

import (
	"bytes"
	"net/http"
	"strconv"

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
