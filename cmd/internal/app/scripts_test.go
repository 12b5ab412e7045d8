package app

import (
	"os/exec"
	"strings"
	"testing"
)

// TestScriptsParse asks each installed shell to parse its script.
func TestScriptsParse(t *testing.T) {
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			shell, err := exec.LookPath(s.name)
			if err != nil {
				return // the shell is not installed
			}
			check := exec.Command(shell, "-n")
			check.Stdin = strings.NewReader(strings.ReplaceAll(s.script, "PROGRAM", "selfplay"))
			if text, err := check.CombinedOutput(); err != nil || len(text) > 0 {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}
