package human

import (
	"testing"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{-1234: "-1,234 shards", -123: "-123 shards", 0: "0 shards", 1: "1 shard", 2: "2 shards", 999: "999 shards", 1000: "1,000 shards", 12345678: "12,345,678 shards"} {
		if got := Count(n, "shard"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for noun, want := range map[string]string{"ply": "2 plies", "loss": "2 losses", "first move": "2 first moves"} {
		if got := Count(2, noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, want := Number(^uint64(0)), "18,446,744,073,709,551,615"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[float64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 15_700_000: "15.7 MB", 2e15: "2000.0 TB"} {
		if got := Size(bytes); got != want {
			t.Errorf("%v: %q, want %q", bytes, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.5: "50 %", 0.123: "12.3 %", 0.00456: "0.46 %",
		0.00001: "< 0.01 %", 0.99999: "> 99.99 %", 0.9984: "99.84 %"} {
		if got := Percent(share); got != want {
			t.Errorf("%v: %q, want %q", share, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"ab:depth=2 é":  "ab:depth=2 é",
		"":              "",
		"a\nok: 3":      `"a\nok: 3"`,
		"\x1b]0;x\x07":  `"\x1b]0;x\a"`,
		"a\u202eb":      `"a\u202eb"`,
		"\u009b31m\xff": `"\u009b31m\xff"`,
	} {
		if got := Quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

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
