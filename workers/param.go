package workers

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine"
)

// param is a parameter of a player: a whole number, one with decimals that is kept
// in thousandths, or one of some words.
type param struct {
	name        string
	usage       string // what stands for the value: N, SHARE
	doc         string // one line
	value       int    // if it is not given
	least, most int
	decimals    bool     // the numbers here are thousandths
	words       []string // the numbers here are places among these
}

// choice is a parameter whose value is one of some words, by default the one at a
// place among them.
func choice(name, doc string, value int, words ...string) param {
	return param{name: name, usage: strings.Join(words, "|"), doc: doc, value: value, most: len(words) - 1, words: words}
}

func noParams(*engine.Game) []param { return nil }

// usage returns how a player of the kind is written for a game.
func (k *kind) usage(g *engine.Game) string {
	var list []string
	for _, p := range k.params(g) {
		text := p.name
		if p.usage != "" {
			text += "=" + p.usage
		}
		list = append(list, text)
	}
	if list == nil {
		return k.name
	}
	separator := ","
	if k.one {
		separator = "|"
	}
	return k.name + "[:" + strings.Join(list, separator) + "]"
}

// values are the parameters of a player by name.
type values map[string]int

// canonical writes those that are not the defaults, in the order of the list.
func (v values) canonical(list []param) string {
	var set []string
	for _, p := range list {
		if v[p.name] != p.value {
			set = append(set, p.name+"="+p.format(v[p.name]))
		}
	}
	return strings.Join(set, ",")
}

// parseParams reads texts like depth=3. It returns the values of the whole list.
func parseParams(list []param, texts []string) (values, error) {
	v := values{}
	for _, p := range list {
		v[p.name] = p.value
	}
	given := map[string]bool{}
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(list, func(p param) bool { return p.name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("unknown parameter %q", text)
		case given[name]:
			return nil, fmt.Errorf("%s is given twice", name)
		}
		n, err := list[i].parse(value)
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
	if err != nil || n < p.least || n > p.most {
		return 0, fmt.Errorf("%q: want %s to %s", text, p.format(p.least), p.format(p.most))
	}
	return n, nil
}

// format writes a value as parse reads it.
func (p *param) format(n int) string {
	switch {
	case p.words != nil:
		return p.words[n]
	case p.decimals:
		return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64)
	}
	return strconv.Itoa(n)
}

// KindInfo describes a sort of player.
type KindInfo struct {
	Name    string      `json:"name"`
	Version int         `json:"version"`
	Usage   string      `json:"usage"`
	Doc     string      `json:"doc"`
	Params  []ParamInfo `json:"params"`
}

// ParamInfo describes a parameter of a player.
type ParamInfo struct {
	Name    string `json:"name"`
	Default string `json:"default"` // empty for a switch
	Range   string `json:"range"`
	Doc     string `json:"doc"`
}

// Kinds describes the players of a game.
func Kinds(g *engine.Game) (list []KindInfo) {
	for _, k := range kinds() {
		info := KindInfo{k.name, k.version, k.usage(g), k.doc, []ParamInfo{}}
		for _, p := range k.params(g) {
			info.Params = append(info.Params, p.info())
		}
		list = append(list, info)
	}
	return list
}

func (p *param) info() ParamInfo {
	info := ParamInfo{Name: p.name, Doc: p.doc}
	if p.usage != "" {
		info.Default = p.format(p.value)
		info.Range = p.format(p.least) + " to " + p.format(p.most)
	}
	if p.words != nil {
		info.Range = strings.Join(p.words, " or ")
	}
	return info
}
