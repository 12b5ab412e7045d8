package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestDocumentsNameTheVersion: those that cannot read it from this package. A version of development counts as the
// release that it leads to, whose section in the changelog has no date yet.
func TestDocumentsNameTheVersion(t *testing.T) {
	next, develops := strings.CutSuffix(Version, ".dev0")
	heading, other := "\n## "+next+", 2", "\n## "+next+", not released yet\n"
	if develops {
		heading, other = other, heading
	}
	tests := []struct{ file, want string }{
		{"CITATION.cff", "\nversion: " + next + "\n"},
		{"CHANGELOG.md", heading},
		{"python/pyproject.toml", "\npath = \"../internal/release/release.go\"\npattern = 'const Version = "},
	}
	for _, tt := range tests {
		text := string(must.Get(os.ReadFile(filepath.Join("../..", filepath.FromSlash(tt.file))))(t))
		if !strings.Contains(text, tt.want) {
			t.Errorf("%s does not have %q", tt.file, tt.want)
		}
	}
	changes := string(must.Get(os.ReadFile("../../CHANGELOG.md"))(t))
	if strings.Contains(changes, other) {
		t.Errorf("version %s, but CHANGELOG.md has %q", Version, other)
	}
}

// TestVersionIsOfThePatternThatPythonReads: three numbers, and .dev0 until the release.
func TestVersionIsOfThePatternThatPythonReads(t *testing.T) {
	var major, minor, patch int
	_, err := fmt.Sscanf(strings.TrimSuffix(Version, ".dev0"), "%d.%d.%d", &major, &minor, &patch)
	if want := fmt.Sprintf("%d.%d.%d", major, minor, patch); err != nil || want != strings.TrimSuffix(Version, ".dev0") {
		t.Errorf("version %q, want %q, with .dev0 or without", Version, want)
	}
}
