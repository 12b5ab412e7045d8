package human

import "testing"

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"4096B", 4096, true}, {"7B", 7, true}, {"64MiB", 64 << 20, true}, {"1.5GiB", 3 << 29, true}, {"2 TiB", 2 << 40, true},
		{"1KiB", 1024, true}, {"1kB", 1000, true}, {"1KB", 1000, true}, {"500MB", 500e6, true}, {"2GB", 2e9, true}, {"1TB", 1e12, true},
		{"", 0, false}, {"4096", 0, false}, {"1e9", 0, false}, {"GiB", 0, false}, {"-1", 0, false}, {"-1B", 0, false}, {"1gb", 0, false},
		{"1 GiB of it", 0, false}, {"nanB", 0, false}, {"infGB", 0, false}, {"9e18KiB", 0, false},
	} {
		if got, ok := ParseSize(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q: %d, %t, want %d, %t", c.text, got, ok, c.want, c.ok)
		}
	}
}
