package web

import (
	"errors"
	"fmt"
	"net/http"

	"selfplay/datasets"
	"selfplay/datasets/disk"
)

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
