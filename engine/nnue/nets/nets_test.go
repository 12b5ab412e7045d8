package nets

import (
	"testing"

	"selfplay/engine/nnue"
)

// TestNetworksAreSmallAndReadable: every network that ships is valid and has at most 2 MB.
func TestNetworksAreSmallAndReadable(t *testing.T) {
	for _, name := range Names() {
		data, ok := File(name)
		if _, err := nnue.ReadFile(data); !ok || err != nil || len(data) > 2_000_000 {
			t.Errorf("%s: %d bytes, error %v", name, len(data), err)
		}
	}
	for _, name := range []string{"", "README", "../nets", "missing"} {
		if _, ok := File(name); ok {
			t.Errorf("there is a network %q", name)
		}
	}
}
