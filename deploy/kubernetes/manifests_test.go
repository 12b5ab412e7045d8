package kubernetes

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// manifests are the objects of this folder.
type manifests struct {
	run, finalize batch.Job
	claim         core.PersistentVolumeClaim
	config        core.ConfigMap
}

func load(t *testing.T) *manifests {
	t.Helper()
	m := new(manifests)
	decode(t, "volume.yaml", &m.claim, &m.config)
	decode(t, "run.yaml", &m.run)
	decode(t, "finalize.yaml", &m.finalize)
	return m
}

// decode reads the documents of a file. Fields that a type lacks are errors.
func decode(t *testing.T, name string, objects ...any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	documents := bytes.Split(text, []byte("\n---\n"))
	if len(documents) != len(objects) {
		t.Fatalf("%s has %d documents, want %d", name, len(documents), len(objects))
	}
	for i, document := range documents {
		if err := yaml.UnmarshalStrict(document, objects[i]); err != nil {
			t.Errorf("%s, document %d: %v", name, i+1, err)
		}
	}
}

func TestManifestsKeepTheRules(t *testing.T) {
	if broken := load(t).broken(); len(broken) > 0 {
		t.Errorf("broken rules: %q", broken)
	}
}

// TestRulesFindMistakes makes one mistake at a time. The schema allows each of them.
func TestRulesFindMistakes(t *testing.T) {
	nonIndexed, four, ten := batch.NonIndexedCompletion, int32(4), int64(10)
	yes, no := true, false
	for want, spoil := range map[string]func(m *manifests){
		"run: not Indexed":               func(m *manifests) { m.run.Spec.CompletionMode = &nonIndexed },
		"run: completions 4, tasks 16":   func(m *manifests) { m.run.Spec.Completions = &four },
		"run: no limit of repetitions":   func(m *manifests) { m.run.Spec.BackoffLimitPerIndex = nil },
		"run: fails at exit codes":       func(m *manifests) { m.run.Spec.PodFailurePolicy.Rules[1].OnExitCodes.Values[0] = 3 },
		"run: evictions count":           func(m *manifests) { slices.Reverse(m.run.Spec.PodFailurePolicy.Rules) },
		"run: restarts in place":         func(m *manifests) { pod(&m.run).RestartPolicy = core.RestartPolicyOnFailure },
		"run: ends before --grace":       func(m *manifests) { pod(&m.run).TerminationGracePeriodSeconds = &ten },
		"run: service links":             func(m *manifests) { pod(&m.run).EnableServiceLinks = &yes },
		"finalize: may be root":          func(m *manifests) { pod(&m.finalize).SecurityContext.RunAsNonRoot = nil },
		"run: has a token of the API":    func(m *manifests) { pod(&m.run).AutomountServiceAccountToken = nil },
		"selfplay: writable root":        func(m *manifests) { first(&m.run).SecurityContext.ReadOnlyRootFilesystem = &no },
		"selfplay: keeps capabilities":   func(m *manifests) { first(&m.run).SecurityContext.Capabilities.Drop = nil },
		"verify: no memory limit":        func(m *manifests) { delete(first(&m.finalize).Resources.Limits, core.ResourceMemory) },
		"verify: no volume dat":          func(m *manifests) { first(&m.finalize).VolumeMounts[0].Name = "dat" },
		"finalize: other image":          func(m *manifests) { first(&m.finalize).Image = "selfplay:old" },
		"verify: not the dataset of run": func(m *manifests) { first(&m.finalize).Args[1] = "/data/day" },
		"run: no claim":                  func(m *manifests) { m.claim.Name = "data" },
		"claim: one node only":           func(m *manifests) { m.claim.Spec.AccessModes[0] = core.ReadWriteOnce },
		"type batch/v1beta1 Job":         func(m *manifests) { m.run.APIVersion = "batch/v1beta1" },
		"run: no configuration":          func(m *manifests) { m.config.Data = nil },
	} {
		m := load(t)
		spoil(m)
		if broken := strings.Join(m.broken(), "; "); !strings.Contains(broken, want) {
			t.Errorf("found %q, want %q", broken, want)
		}
	}
}
