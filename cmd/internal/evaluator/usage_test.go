package evaluator

import (
	"math"
	"testing"
	"time"
)

// TestCPUTimesAreBounded by the time that passed on every processor, whatever a model reports.
func TestCPUTimesAreBounded(t *testing.T) {
	const second = uint64(time.Second)
	for _, c := range []struct {
		what       string
		told, want usage
	}{
		{"a report that can be true", usage{3 * second, second}, usage{3 * second, second}},
		{"more of the model than in all", usage{second, 2 * second}, usage{second, second}},
		{"a negative number", usage{math.MaxUint64, 1 << 63}, usage{8 * second, 8 * second}},
	} {
		conn := &conn{opened: time.Now().Add(-4 * time.Second), cores: 2}
		got := conn.credible(c.told)
		if late := got.all - c.want.all; late > second || got.model-c.want.model > second {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if again := conn.credible(usage{math.MaxUint64, 0}); got.all+again.all > 9*second {
			t.Errorf("%s: %v and then %v in four seconds on two processors", c.what, got, again)
		}
	}
}
