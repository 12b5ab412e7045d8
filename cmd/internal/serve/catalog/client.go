package catalog

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

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
	case errors.Is(err, datasets.ErrNoRecords):
		return "the dataset was copied without .selfplay/: copy that folder too"
	}
	return "the server could not answer; its log says why"
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

// Params reads the parameters of a query. It keeps the first error; Err returns it, and refuses
// parameters that nothing has read.
type Params struct {
	values url.Values
	known  []string
	err    error
}

// ParamsOf returns the parameters of a request.
func ParamsOf(r *http.Request) *Params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = BadRequest("the query is not well formed")
	}
	return &Params{values: values, err: err}
}

// String returns a parameter, "" without it.
func (p *Params) String(name string) string {
	p.known = append(p.known, name)
	switch list := p.values[name]; len(list) {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		p.Fail("parameter %s: given %d times, want it once", name, len(list))
		return ""
	}
}

// Has reports whether a parameter is given and not empty.
func (p *Params) Has(name string) bool { return p.values.Get(name) != "" }

// Uint returns a parameter from least to most, or byDefault without it.
func (p *Params) Uint(name string, byDefault, least, most uint64) uint64 {
	text := p.String(name)
	if text == "" {
		return byDefault
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || n > most {
		p.Fail("parameter %s: %.40q: want a whole number from %d to %d", name, text, least, most)
		return byDefault
	}
	return n
}

// Int returns a parameter from least to most, or byDefault without it. None of them is negative.
func (p *Params) Int(name string, byDefault, least, most int) int {
	return int(p.Uint(name, uint64(byDefault), uint64(least), uint64(most)))
}

// Bool returns a parameter that is 0 or 1, false without it.
func (p *Params) Bool(name string) bool { return p.OneOf(name, "0", "1") == "1" }

// OneOf returns a parameter that has one of some values. Without it, it returns the first, which
// may be empty.
func (p *Params) OneOf(name string, values ...string) string {
	text := p.String(name)
	if text == "" {
		return values[0]
	}
	if !slices.Contains(values, text) {
		p.Fail("parameter %s: %.40q: want %s", name, text, strings.TrimPrefix(strings.Join(values, " or "), " or "))
		return values[0]
	}
	return text
}

// List returns a parameter of texts with commas between them, nil without it.
func (p *Params) List(name string) []string {
	text := p.String(name)
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// Fail keeps an error of a parameter, unless there is one.
func (p *Params) Fail(format string, args ...any) {
	if p.err == nil {
		p.err = BadRequest(format, args...)
	}
}

// Err returns the first error, or that of a parameter which nothing has read.
func (p *Params) Err() error {
	if p.err != nil {
		return p.err
	}
	slices.Sort(p.known)
	known := slices.Compact(p.known)
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if slices.Contains(known, name) {
			continue
		}
		if len(known) == 0 {
			return BadRequest("unknown parameter %.40q: want none", name)
		}
		return BadRequest("unknown parameter %.40q: want %s", name, strings.Join(known, ", "))
	}
	return nil
}
