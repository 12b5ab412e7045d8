package pages

import (
	"os/exec"
	"testing"
)

// TestModulesInNode: the conversions of board arrays, with the worked examples of the public
// encoding of Contrast.
func TestModulesInNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: apt-get install nodejs")
	}
	if out, err := exec.Command(node, "--test", "testdata/boardarray.test.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
