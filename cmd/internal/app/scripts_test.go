package app

import (
	"os/exec"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestScriptsParse asks each installed shell to parse its script.
func TestScriptsParse(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			script := must.Get(scripts.ReadFile("scripts/" + name))(t)
			shell, err := exec.LookPath(name)
			if err != nil {
				return // the shell is not installed
			}
			check := exec.Command(shell, "-n")
			check.Stdin = strings.NewReader(strings.ReplaceAll(string(script), "PROGRAM", "selfplay"))
			if text, err := check.CombinedOutput(); err != nil || len(text) > 0 {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}
