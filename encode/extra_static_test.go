package encode

import "testing"

// TestVersionOfStaticScoresIsInTheDescription, whose hash is in plans: other scores are another plan.
func TestVersionOfStaticScoresIsInTheDescription(t *testing.T) {
	if staticDoc(1) == staticDoc(2) || staticDoc(2) == staticDoc(3) {
		t.Error("two versions have one text")
	}
}
