package making

import (
	"os"
	"runtime/debug"
	"testing"

	"selfplay/datasets/disk"
)

// TestMain collects garbage less often and keeps temporary folders in memory, if that is possible and no other place is
// asked for: these tests make thousands of small datasets. A memoryDisk tests what a power cut leaves.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	const memory, enough = "/dev/shm", 1 << 30
	free, _, ok := (disk.OS{}).Space(memory)
	if ok && free > enough && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
	os.Exit(m.Run())
}
