// Package post reads the JSON of POST requests about positions, and answers those that it refuses
// with the kind of the error and its place in the text (see ask.Refusal). The server reads no other
// bodies.
package post

import (
	"errors"
	"io"
	"net/http"

	"selfplay/cmd/internal/ask"
	"selfplay/cmd/internal/serve/web"
)

// maxBody is the longest body of a request in bytes. An array of CoTuLenh takes about 700.
const maxBody = 64 << 10

// Read decodes the body of a request, which must be one JSON object.
func Read(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return web.Errorf(http.StatusRequestEntityTooLarge, "the body is longer than %d bytes", tooLong.Limit)
	}
	if err == nil {
		err = ask.Decode(body, into)
	}
	return Invalid(err)
}

// Invalid returns the error of a request that means nothing: status 400, with the kind of err. It
// returns nil for nil.
func Invalid(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(web.BadRequest("%v", err), err)
}

// refusal is the JSON of a request that is refused.
type refusal struct {
	Status int `json:"status"`
	ask.Refusal
}

// Refuse answers with the status, the message, the kind and the place of an error. It is the
// Failed of a web.Route.
func Refuse(w http.ResponseWriter, _ *http.Request, err error) {
	f := refusal{web.Status(err), ask.Refuse(err)}
	f.Error = web.Message(err)
	_ = web.WriteJSON(w, f.Status, f) // a refusal has a JSON
}
