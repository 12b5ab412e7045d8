package program

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/internal/must"
)

// programs are those of transcripts.
var programs = map[string]cmdtest.Program{
	"selfplay": func(args ...string) cmdtest.Outcome {
		o := selfplay("", args...)
		return cmdtest.Outcome{Code: o.code, Stdout: o.stdout, Stderr: o.stderr}
	},
}

func TestTranscripts(t *testing.T) {
	cmdtest.Transcripts(t, "testdata/transcripts/*.txt", programs, func(t *testing.T, dir string) map[string]string {
		for _, name := range indexVariables {
			t.Setenv(name, "")
		}
		nets := filepath.Join(dir, "nets")
		os.Mkdir(nets, 0o755)
		other, _ := writeNetwork(t, nets, "contrast", 2)
		os.Rename(other, filepath.Join(nets, "other.safetensors"))
		writeNetwork(t, nets, "chess", 1)
		_, sum := writeNetwork(t, nets, "contrast", 1)
		busy := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		t.Cleanup(func() { busy.Close() })
		return map[string]string{"SUM": sum, "BUSY": busy.Addr().String()}
	})
}

// tree returns the files of a dataset that its readers see.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	return cmdtest.Tree(t, dir)
}

// mustEqual compares two datasets byte for byte.
func mustEqual(t *testing.T, got, want map[string]string) {
	t.Helper()
	cmdtest.MustEqual(t, got, want)
}
