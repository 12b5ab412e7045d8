package evaluator

import "testing"

func TestDifferencesOfEvaluatorsAreNamed(t *testing.T) {
	const manifest = `{"batch": 16, "game": "chess", "model": ["ab", "cd"], "runtime": "torch 2.1"}`
	first := Welcome{Batch: 16, Manifest: manifest}
	for name, c := range map[string]struct {
		other Welcome
		want  string
	}{
		"nothing": {first, ""},
		"batch":   {Welcome{Batch: 8, Manifest: `{"batch": 8, "game": "chess", "model": ["ab", "cd"], "runtime": "torch 2.1"}`}, "batch 16 and 8"},
		"files":   {Welcome{Batch: 16, Manifest: `{"batch": 16, "game": "chess", "model": ["ab", "ce"], "runtime": "torch 2.1"}`}, "the program or the files of the model"},
		"several": {Welcome{Batch: 8, Manifest: `{"batch": 8, "game": "chess", "model": [], "protocol": 1}`},
			`batch 16 and 8, the program or the files of the model, protocol none and 1, runtime "torch 2.1" and none`},
		"no JSON": {Welcome{Batch: 16, Manifest: "net 5"}, "manifests"},
	} {
		if got := Difference(first, c.other); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestTheBatchOfAHashIsFound, because a plan has the hash of a manifest alone.
func TestTheBatchOfAHashIsFound(t *testing.T) {
	now := Welcome{Manifest: `{"batch": 16, "runtime": "torch"}`}
	for want, manifest := range map[int]string{
		MaxBatch: `{"batch": 16384, "runtime": "torch"}`, 16: now.Manifest, 0: `{"batch": 16, "runtime": "jax"}`,
	} {
		if got := now.BatchOf(Welcome{Manifest: manifest}.ManifestHash()); got != want {
			t.Errorf("%s: %d, want %d", manifest, got, want)
		}
	}
	if got := (Welcome{Manifest: "net 5"}).BatchOf(now.ManifestHash()); got != 0 {
		t.Error(got)
	}
}
