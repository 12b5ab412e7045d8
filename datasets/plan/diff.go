package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine/nnue/nets"
)

// Difference is a setting in which two plans differ.
type Difference struct {
	Setting  string // a field of the plan, or the name of a setting in a list, such as opening-plies
	This, Is string // the values in this plan and in the other one; "none" without a value
	Version  bool   // it is the version of rules, players or numbers
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s there, %s here", d.Setting, d.This, d.Is)
}

// causes are the fields that others follow from: a difference of the others says nothing more.
var causes = map[string][]string{
	"Description":  {"Variant", "Players", "Layout", "LayoutVersion", "Columns", "Perspective", "Filter", "Deblunder"},
	"Columns":      {"Players", "Deblunder"},
	"Codec":        {"Format"},
	"Networks":     {"Players", "Play"},
	"Perspective":  {"Layout"},
	"StaticScores": {"Variant", "Columns"},
}

// Diff lists the settings in which q differs from p. A setting that follows from one of them is
// left out. Plans of two games differ in their game only.
func (p Plan) Diff(q Plan) (list []Difference) {
	if p.Game != q.Game {
		return []Difference{{Setting: "game", This: textOf(p.Game), Is: textOf(q.Game)}}
	}
	a, b := reflect.ValueOf(p), reflect.ValueOf(q)
	differs := func(name string) bool {
		return !reflect.DeepEqual(a.FieldByName(name).Interface(), b.FieldByName(name).Interface())
	}
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if !differs(field.Name) || slices.ContainsFunc(causes[field.Name], differs) {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		list = append(list, differencesOf(name, a.Field(i).Interface(), b.Field(i).Interface())...)
	}
	return list
}

// differencesOf compares two values of a field that differ.
func differencesOf(name string, x, y any) []Difference {
	switch x := x.(type) {
	case [2]Player:
		return playerDifferences(x, y.([2]Player))
	case []Evaluator:
		return evaluatorDifferences(x, y.([]Evaluator))
	case []string:
		if name == "play" || name == "filter" {
			return settingDifferences(x, y.([]string))
		}
		if name == "static_scores" {
			return []Difference{{"static score of fixed positions", fingerprints(x), fingerprints(y.([]string)), true}}
		}
		return []Difference{{Setting: name, This: without(x, y.([]string)), Is: without(y.([]string), x)}}
	}
	switch name {
	case "validation":
		x, y = thousandths(x), thousandths(y)
	case "perspective":
		x, y = cmp.Or(x.(string), "board"), cmp.Or(y.(string), "board")
	}
	return []Difference{{name, textOf(x), textOf(y), slices.Contains(versions, name)}}
}

// versions are the fields that hold a version.
var versions = []string{"rules", "layout_version", "actions", "writer"}

// playerDifferences compares the players of both sides. If each plan has one player on both, they
// are one difference.
func playerDifferences(x, y [2]Player) (list []Difference) {
	if x[0] == x[1] && y[0] == y[1] {
		return []Difference{playerDifference("player", x[0], y[0])}
	}
	for side, name := range []string{"player-first", "player-second"} {
		if x[side] != y[side] {
			list = append(list, playerDifference(name, x[side], y[side]))
		}
	}
	return list
}

func playerDifference(name string, x, y Player) Difference {
	first, second := nets.Shown(x.Spec), nets.Shown(y.Spec)
	if x.Spec != y.Spec {
		return Difference{Setting: name, This: textOf(first), Is: textOf(second)}
	}
	return Difference{name, fmt.Sprintf("%s v%d", first, x.Version), fmt.Sprintf("%s v%d", second, y.Version), true}
}

// settingDifferences compares lists of settings such as keep=0.5. A name that differs comes once.
func settingDifferences(x, y []string) (list []Difference) {
	for _, text := range slices.Concat(x, y) {
		name, _, _ := strings.Cut(text, "=")
		d := Difference{Setting: name, This: settingIn(x, name), Is: settingIn(y, name)}
		if d.This != d.Is && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	if list == nil { // the same settings in another order
		list = []Difference{{Setting: "order of settings", This: strings.Join(x, ", "), Is: strings.Join(y, ", ")}}
	}
	return list
}

// settingIn returns the values of a setting in a list.
func settingIn(list []string, name string) string {
	var values []string
	for _, text := range list {
		if found, value, _ := strings.Cut(text, "="); found == name {
			values = append(values, cmp.Or(value, "set"))
		}
	}
	return textOf(strings.Join(values, " and "))
}

// evaluatorDifferences compares the evaluators of two plans by name.
func evaluatorDifferences(x, y []Evaluator) (list []Difference) {
	for _, e := range slices.Concat(x, y) {
		d := Difference{Setting: "evaluator " + e.Name, This: identityIn(x, e.Name), Is: identityIn(y, e.Name)}
		if d.This != d.Is && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// identityIn describes an evaluator of a list.
func identityIn(list []Evaluator, name string) string {
	for _, e := range list {
		if e.Name != name {
			continue
		}
		text := fmt.Sprintf("fingerprint %.12s of manifest %.12s", e.Fingerprint, e.Manifest)
		if e.Engine != "" {
			text += " of " + e.Engine
		}
		if e.Approximate {
			text += ", approximate"
		}
		return text
	}
	return textOf("")
}

// fingerprints names static scores by the beginning of each sum.
func fingerprints(sums []string) string {
	var list []string
	for _, sum := range sums {
		list = append(list, fmt.Sprintf("fingerprint %.12s", sum))
	}
	return textOf(strings.Join(list, " and "))
}

// without returns the texts of a list that are not in another one.
func without(list, other []string) string {
	var own []string
	for _, text := range list {
		if !slices.Contains(other, text) {
			own = append(own, text)
		}
	}
	return textOf(strings.Join(own, ","))
}

// thousandths writes an int as a fraction.
func thousandths(n any) string {
	return strconv.FormatFloat(float64(n.(int))/1000, 'f', -1, 64)
}

// textOf writes the value of a field.
func textOf(v any) string { return cmp.Or(fmt.Sprint(v), "none") }
