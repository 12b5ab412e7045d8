package workers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/internal/count"
	"selfplay/internal/typo"
)

// Param is a parameter of a type of player: an integer, a decimal number or a word. Its value
// is an int: the integer, the number in thousandths, or the index of the word.
type Param struct {
	Name     string // in lower case
	Usage    string // placeholder of the value, such as N
	Doc      string // one line of help
	Default  int
	Min, Max int      // range, inclusive
	Decimals bool     // the value is in thousandths
	Words    []string // nil: the value is a number
}

// WordParam returns a parameter whose value is one of some words; value is the index of
// the default.
func WordParam(name, doc string, value int, words ...string) Param {
	return Param{Name: name, Usage: strings.Join(words, "|"), Doc: doc, Default: value, Max: len(words) - 1, Words: words}
}

// Values are the values of all parameters of a player by name: see Param.
type Values map[string]int

// canonical formats the values that differ from the defaults, in the order of params.
func (v Values) canonical(params []Param) string {
	var list []string
	for _, p := range params {
		if v[p.Name] != p.Default {
			list = append(list, p.Name+"="+p.format(v[p.Name]))
		}
	}
	return strings.Join(list, ",")
}

// parseParams parses texts such as depth=3. It returns a value for every parameter.
func parseParams(params []Param, texts []string) (Values, error) {
	v := Values{}
	for _, p := range params {
		v[p.Name] = p.Default
	}
	given := map[string]bool{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
		switch {
		case i < 0:
			return nil, unknownParam(text, params)
		case given[name]:
			return nil, fmt.Errorf("%s is given twice", name)
		}
		n, err := params[i].parse(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		v[name], given[name] = n, true
	}
	return v, nil
}

// unknownParam refuses a parameter: it names the one that was meant, or all.
func unknownParam(text string, params []Param) error {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	name, _, _ := strings.Cut(text, "=")
	if meant := typo.DidYouMean(name, names, "%s"); meant != "" {
		return fmt.Errorf("unknown parameter %q%s", text, meant)
	}
	if names == nil {
		return fmt.Errorf("unknown parameter %q: there are none", text)
	}
	return fmt.Errorf("unknown parameter %q: want one of %s", text, strings.Join(names, ", "))
}

func (p *Param) parse(text string) (int, error) {
	if p.Words != nil {
		if i := slices.Index(p.Words, text); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("%q: want %s", text, strings.Join(p.Words, " or "))
	}
	n, err := strconv.Atoi(text)
	if large, isCount := count.Parse(text); err != nil && isCount == nil && large <= math.MaxInt {
		n, err = int(large), nil // 1e6
	}
	if p.Decimals {
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		n = int(math.Round(1000 * f))
		if err == nil && !(math.Abs(1000*f-float64(n)) < 1e-6) {
			return 0, fmt.Errorf("%q: want at most three decimals", text)
		}
	}
	if err != nil || n < p.Min || n > p.Max {
		return 0, fmt.Errorf("%q: want %s to %s", text, p.format(p.Min), p.format(p.Max))
	}
	return n, nil
}

// format is the inverse of parse.
func (p *Param) format(n int) string {
	switch {
	case p.Words != nil:
		return p.Words[n]
	case p.Decimals:
		return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64)
	}
	return strconv.Itoa(n)
}

// ParamFacts describes a parameter of a player type.
type ParamFacts struct {
	Name    string `json:"name"`
	Default string `json:"default"` // "" if the parameter takes no value
	Range   string `json:"range"`
	Max     int    `json:"-"` // the largest number; see param for decimals and words
	Doc     string `json:"doc"`
}

func (p *Param) facts() ParamFacts {
	f := ParamFacts{Name: p.Name, Doc: p.Doc, Max: p.Max}
	if p.Usage != "" && p.Name != "net" && p.Name != "eval" {
		f.Default = p.format(p.Default)
		f.Range = p.format(p.Min) + " to " + p.format(p.Max)
	}
	if p.Words != nil {
		f.Range = strings.Join(p.Words, " or ")
	}
	return f
}
