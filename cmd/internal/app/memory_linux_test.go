package app

import "testing"

func TestMemAvailable(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       16 kB\nMemFree:        1 kB\nMemAvailable:   12 kB\nBuffers: 3 kB\n": 12 << 10,
		"MemTotal: 16 kB\nMemFree: 1 kB\n":      0, // kernels before 3.14
		"MemTotal: 16 kB\nMemAvailable: x kB\n": 0,
		"":                                      0,
	} {
		if got := memAvailable(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if systemMemory() == 0 {
		t.Error("this system has no MemAvailable")
	}
}
