package workers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// param is a parameter of a player: an integer, a decimal number or a word. Its value is
// an int: the integer, the number in thousandths, or the index of the word.
type param struct {
	name     string
	usage    string // placeholder of the value, as N; "" for a parameter without a value
	doc      string // one line of help
	value    int    // default
	min, max int    // range, inclusive
	decimals bool   // the value is in thousandths
	words    []string
}

// wordParam returns a parameter whose value is one of some words; value is the index of
// the default.
func wordParam(name, doc string, value int, words ...string) param {
	return param{name: name, usage: strings.Join(words, "|"), doc: doc, value: value, max: len(words) - 1, words: words}
}

func noParams(*engine.Game) []param { return nil }

// usage returns the syntax of a player name for a game.
func (t *playerType) usage(g *engine.Game) string {
	var list []string
	for _, p := range t.allParams(g) {
		text := p.name
		if p.usage != "" {
			text += "=" + p.usage
		}
		list = append(list, text)
	}
	if list == nil {
		return t.name
	}
	separator := ","
	if t.singleParam {
		separator = "|"
	}
	return t.name + "[:" + strings.Join(list, separator) + "]"
}

// allParams returns the parameters with those of a network.
func (t *playerType) allParams(g *engine.Game) []param {
	list := t.params(g)
	if t.networks {
		list = append(list, networkParams()...)
	}
	return list
}

// values are the values of a player's parameters by name.
type values map[string]int

// canonical formats the values that differ from the defaults, in the order of params.
func (v values) canonical(params []param) string {
	var list []string
	for _, p := range params {
		if v[p.name] != p.value {
			list = append(list, p.name+"="+p.format(v[p.name]))
		}
	}
	return strings.Join(list, ",")
}

// parseParams parses texts such as depth=3. It returns a value for every parameter.
func parseParams(params []param, texts []string) (values, error) {
	v := values{}
	for _, p := range params {
		v[p.name] = p.value
	}
	given := map[string]bool{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("unknown parameter %q", text)
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

func (p *param) parse(text string) (int, error) {
	if p.words != nil {
		if i := slices.Index(p.words, text); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("%q: want %s", text, strings.Join(p.words, " or "))
	}
	n, err := strconv.Atoi(text)
	if p.decimals {
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		n = int(math.Round(1000 * f))
		if err == nil && !(math.Abs(1000*f-float64(n)) < 1e-6) {
			return 0, fmt.Errorf("%q: want at most three decimals", text)
		}
	}
	if err != nil || n < p.min || n > p.max {
		return 0, fmt.Errorf("%q: want %s to %s", text, p.format(p.min), p.format(p.max))
	}
	return n, nil
}

// format is the inverse of parse.
func (p *param) format(n int) string {
	switch {
	case p.words != nil:
		return p.words[n]
	case p.decimals:
		return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64)
	}
	return strconv.Itoa(n)
}

// PlayerTypeFacts describes a player type for help and scripts.
type PlayerTypeFacts struct {
	Name    string       `json:"name"`
	Version int          `json:"version"`
	Usage   string       `json:"usage"`
	Doc     string       `json:"doc"`
	Params  []ParamFacts `json:"params"`
}

// ParamFacts describes a parameter of a player type.
type ParamFacts struct {
	Name    string `json:"name"`
	Default string `json:"default"` // "" if the parameter takes no value
	Range   string `json:"range"`
	Max     int    `json:"-"` // the largest number; see param for decimals and words
	Doc     string `json:"doc"`
}

// PlayerTypes describes the player types of a game.
func PlayerTypes(g *engine.Game) (list []PlayerTypeFacts) {
	for _, t := range playerTypes() {
		f := PlayerTypeFacts{t.name, t.version, t.usage(g), t.doc, []ParamFacts{}}
		for _, p := range t.allParams(g) {
			f.Params = append(f.Params, p.facts())
		}
		list = append(list, f)
	}
	return list
}

func (p *param) facts() ParamFacts {
	f := ParamFacts{Name: p.name, Doc: p.doc, Max: p.max}
	if p.usage != "" && p.name != "net" {
		f.Default = p.format(p.value)
		f.Range = p.format(p.min) + " to " + p.format(p.max)
	}
	if p.words != nil {
		f.Range = strings.Join(p.words, " or ")
	}
	return f
}
