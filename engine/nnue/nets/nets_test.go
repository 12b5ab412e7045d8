package nets

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"selfplay/engine/nnue"
)

// sums are the SHA-256 of the networks of all releases. Datasets name networks by them.
var sums = map[string]string{
	"contrast-g2": "1d98c03a5a361868d91ac9176fda163d827d736317ac9062be70c96529f460eb",
	"cotulenh-g4": "923bfb7c89fd3f5ccddd68d409a8a76f2a0ed671cbf111a4999d531875cf78a1",
}

// TestNetworksNeverChange under their names, and none goes away.
func TestNetworksNeverChange(t *testing.T) {
	for _, name := range Names() {
		if sums[name] == "" {
			t.Errorf("%s: no sum is known", name)
		}
	}
	for name, want := range sums {
		data, _ := File(name)
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s: SHA-256 %x, want %s", name, sum, want)
		}
	}
}

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
