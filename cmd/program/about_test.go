package program

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAboutIsOutsideThePlan: title, licence and the like are in the card and in
// croissant.json. They change no data file, and the first run fixes them.
func TestAboutIsOutsideThePlan(t *testing.T) {
	dir := t.TempDir()
	run := func(out string, flags ...string) []string {
		return append([]string{"run", "--quiet", "--game", "contrast", "--games", "4", "--shard-games", "2", "--out", filepath.Join(dir, out)}, flags...)
	}
	must(t, run("plain")...)
	about := []string{"--title", "Contrast: a \"sample\"", "--licence", "cc-by-4.0", "--creator", "Nguyễn & Co", "--date", "2026-11-21", "--url", "https://example.org/contrast"}
	must(t, run("described", about...)...)
	plain, full := tree(t, filepath.Join(dir, "plain")), tree(t, filepath.Join(dir, "described"))
	for name := range plain {
		if data := strings.Contains(name, "/"); data && plain[name] != full[name] {
			t.Errorf("%s differs", name)
		}
	}
	for _, want := range []string{"pretty_name: \"Contrast: a \\\"sample\\\"\"\n", "license: \"cc-by-4.0\"\n", "Made by Nguyễn & Co, 2026-11-21."} {
		if !strings.Contains(full["README.md"], want) {
			t.Errorf("the card has no %s", want)
		}
	}
	for _, want := range []string{`"url": "https://example.org/contrast"`, `"license": "cc-by-4.0"`, `"datePublished": "2026-11-21"`, "Nguyễn & Co"} {
		if !strings.Contains(full["croissant.json"], want) {
			t.Errorf("croissant.json has no %s", want)
		}
	}
	must(t, run("described")...) // without the flags
	must(t, run("described", about...)...)
	mustEqual(t, tree(t, filepath.Join(dir, "described")), full)
	mustRefuse(t, selfplay("", run("described", "--creator", "Another creator")...), 2, `creator "Another creator": it is "Nguyễn & Co" in `)
}

func TestAboutRefusals(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"title", "two\nlines", "want one line"},
		{"creator", strings.Repeat("x", 201), "at most 200 characters"},
		{"licence", "CC BY 4.0", `licence "CC BY 4.0": want an identifier such as cc-by-4.0`},
		{"date", "21.11.2026", `date "21.11.2026": want a date such as 2026-11-21`},
		{"url", "example.org", `url "example.org": want one that begins with https://`},
	} {
		out := filepath.Join(t.TempDir(), "out")
		mustRefuse(t, selfplay("", "run", "--game", "contrast", "--games", "4", "--out", out, "--"+c.flag, c.value), 2, c.want)
	}
}
