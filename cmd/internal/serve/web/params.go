package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

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
