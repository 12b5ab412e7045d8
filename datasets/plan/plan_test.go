package plan

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestPythonReadsTheSamePrerelease: its package refuses others, too.
func TestPythonReadsTheSamePrerelease(t *testing.T) {
	source := string(must.Get(os.ReadFile("../../python/src/selfplay/dataset.py"))(t))
	if want := fmt.Sprintf("\nPRERELEASE = %d ", Prerelease); !strings.Contains(source, want) {
		t.Errorf("python/src/selfplay/dataset.py: want %q", want)
	}
}
