package app

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{-1234: "-1,234 shards", -123: "-123 shards", 0: "0 shards", 1: "1 shard", 2: "2 shards", 999: "999 shards", 1000: "1,000 shards", 12345678: "12,345,678 shards"} {
		if got := Count(n, "shard"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got, want := Number(^uint64(0)), "18,446,744,073,709,551,615"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
