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
// release that it leads to, which has no date yet.
func TestDocumentsNameTheVersion(t *testing.T) {
	next, develops := strings.CutSuffix(Version, ".dev0")
	citation := read(t, "CITATION.cff")
	_, dated, released := strings.Cut(citation, "\ndate-released: ")
	date, _, _ := strings.Cut(dated, "\n")
	if develops {
		date = "not released yet"
	}
	tests := []struct{ file, want string }{
		{"CITATION.cff", "\nversion: " + next + "\n"},
		{"CHANGELOG.md", "\n## " + next + ", " + date + "\n"},
		{"python/pyproject.toml", "\npath = \"../internal/release/release.go\"\npattern = 'const Version = "},
	}
	for _, tt := range tests {
		if !strings.Contains(read(t, tt.file), tt.want) {
			t.Errorf("%s does not have %q", tt.file, tt.want)
		}
	}
	if released == develops {
		t.Errorf("version %s, but that CITATION.cff has date-released is %t", Version, released)
	}
}

// read returns a document of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(filepath.Join("../..", filepath.FromSlash(name))))(t))
}

// TestVersionIsOfThePatternThatPythonReads: three numbers, and .dev0 until the release.
func TestVersionIsOfThePatternThatPythonReads(t *testing.T) {
	var major, minor, patch int
	_, err := fmt.Sscanf(strings.TrimSuffix(Version, ".dev0"), "%d.%d.%d", &major, &minor, &patch)
	if want := fmt.Sprintf("%d.%d.%d", major, minor, patch); err != nil || want != strings.TrimSuffix(Version, ".dev0") {
		t.Errorf("version %q, want %q, with .dev0 or without", Version, want)
	}
}
