package making

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// TestCroissantReferencesAreDefined: identifiers are unique, every reference has a
// definition, and every data file is described.
func TestCroissantReferencesAreDefined(t *testing.T) {
	for _, f := range formats {
		root := made(t, f.plan(), 10)
		files := tree(t, root)
		var whole any
		must.Do(t, json.Unmarshal([]byte(files[plan.CroissantName]), &whole))
		var defined, referenced []string
		walkIDs(whole.(map[string]any), &defined, &referenced)
		slices.Sort(defined)
		if unique := slices.Compact(slices.Clone(defined)); len(unique) != len(defined) {
			t.Errorf("%s: duplicates in %q", f.name, defined)
		}
		for _, id := range referenced {
			if !slices.Contains(defined, id) {
				t.Errorf("%s: %s is not defined", f.name, id)
			}
		}
		for name := range files {
			if data := strings.HasPrefix(name, plan.Positions) || strings.HasPrefix(name, plan.Games); data != slices.Contains(defined, name) {
				t.Errorf("%s: %s is described: %t", f.name, name, !data)
			}
		}
	}
}

// walkIDs collects the identifiers that are defined and those that are referenced. A
// reference is an object with an identifier only.
func walkIDs(v any, defined, referenced *[]string) {
	switch v := v.(type) {
	case map[string]any:
		id, ok := v["@id"].(string)
		switch {
		case ok && len(v) == 1:
			*referenced = append(*referenced, id)
		case ok:
			*defined = append(*defined, id)
		}
		for key, inner := range v {
			if key != "@context" {
				walkIDs(inner, defined, referenced)
			}
		}
	case []any:
		for _, inner := range v {
			walkIDs(inner, defined, referenced)
		}
	}
}

// TestCroissantOmitsUnknownFacts of author, licence and date.
func TestCroissantOmitsUnknownFacts(t *testing.T) {
	file := fakeHeader(t)
	for _, tt := range []struct {
		about      plan.About
		want, lack []string
	}{
		{file.About, []string{`@misc{selfplay_`, "note = {0 games of plan " + file.Hash},
			[]string{`"creator"`, `"license"`, "author", "year", "datePublished"}},
		{plan.About{Title: "T", Licence: "cc0-1.0", Creator: "A. N. Other", Date: "2026-11-21"},
			[]string{`"license": "cc0-1.0"`, `"name": "A. N. Other"`, "title = {T}, author = {A. N. Other}, year = {2026}", `"datePublished": "2026-11-21"`}, nil},
	} {
		file.About = tt.about
		text := written(record.DerivedFiles(record.NewSet(file.Plan).All.Manifest(file), file)[1].Write)
		for _, part := range tt.want {
			if !strings.Contains(text, part) {
				t.Errorf("%+v: %s is missing", tt.about, part)
			}
		}
		for _, part := range tt.lack {
			if strings.Contains(text, part) {
				t.Errorf("%+v: %s should not be there", tt.about, part)
			}
		}
	}
}
