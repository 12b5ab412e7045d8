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

// WriteJSON answers with one line of JSON. Nothing of it is cached: datasets grow.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	var b bytes.Buffer
	if err := encode.NewRoundedJSON(&b).Encode(v); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}

// WriteError answers with the status and the message of an error.
func WriteError(w http.ResponseWriter, _ *http.Request, err error) {
	_ = WriteJSON(w, Status(err), Failure{Status(err), Message(err)}) // a Failure has a JSON
}
