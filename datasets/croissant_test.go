package datasets

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestCroissantNamesWhatItRefersTo: every reference has one thing that bears the name.
func TestCroissantNamesWhatItRefersTo(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		makeIn(t, root, f.plan(), 10, fakeOptions())
		files := tree(t, root)
		var whole any
		if err := json.Unmarshal([]byte(files[croissantName]), &whole); err != nil {
			t.Fatal(err)
		}
		var named, referred []string
		walkIDs(whole.(map[string]any), &named, &referred)
		slices.Sort(named)
		if unique := slices.Compact(slices.Clone(named)); len(unique) != len(named) {
			t.Errorf("%s: named twice: %q", f.name, named)
		}
		for _, id := range referred {
			if !slices.Contains(named, id) {
				t.Errorf("%s: nothing is named %s", f.name, id)
			}
		}
		for name := range files {
			if data := strings.HasPrefix(name, positionsName) || strings.HasPrefix(name, gamesName); data != slices.Contains(named, name) {
				t.Errorf("%s: %s is described: %t", f.name, name, !data)
			}
		}
	}
}

// walkIDs collects what bears a name, and the names that stand alone.
func walkIDs(v any, named, referred *[]string) {
	switch v := v.(type) {
	case map[string]any:
		id, ok := v["@id"].(string)
		switch {
		case ok && len(v) == 1:
			*referred = append(*referred, id)
		case ok:
			*named = append(*named, id)
		}
		for key, inner := range v {
			if key != "@context" {
				walkIDs(inner, named, referred)
			}
		}
	case []any:
		for _, inner := range v {
			walkIDs(inner, named, referred)
		}
	}
}

// TestCroissantSaysOfTheAuthorWhatIsKnown, and no more.
func TestCroissantSaysOfTheAuthorWhatIsKnown(t *testing.T) {
	h := fakeHeader(t)
	for _, tt := range []struct {
		about      About
		want, lack []string
	}{
		{h.about, []string{`"datePublished": "1970-01-01"`, `@misc{selfplay_`, "note = {0 games of plan " + h.hash},
			[]string{`"creator"`, `"license"`, "author", "year"}},
		{About{Title: "T", Licence: "cc0-1.0", Creator: "A. N. Other", Date: "2026-11-21"},
			[]string{`"license": "cc0-1.0"`, `"name": "A. N. Other"`, "title = {T}, author = {A. N. Other}, year = {2026}", `"datePublished": "2026-11-21"`}, nil},
	} {
		h.about = tt.about
		text := string(newManifest(h, nil).croissant(h))
		for _, part := range tt.want {
			if !strings.Contains(text, part) {
				t.Errorf("%+v: %s is missing", tt.about, part)
			}
		}
		for _, part := range tt.lack {
			if strings.Contains(text, part) {
				t.Errorf("%+v: %s was made up", tt.about, part)
			}
		}
	}
}
