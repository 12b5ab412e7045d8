package kubernetes

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"selfplay/internal/must"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// manifests are the objects of one way to keep the dataset: on a volume or in an object store.
type manifests struct {
	run, finalize batch.Job
	config        core.ConfigMap
	claim         core.PersistentVolumeClaim // of a volume
	store         *core.ConfigMap            // of a store, nil on a volume
}

// jobs returns both jobs by name.
func (m *manifests) jobs() map[string]*batch.Job {
	return map[string]*batch.Job{"run": &m.run, "finalize": &m.finalize}
}

func loadVolume(t *testing.T) *manifests {
	t.Helper()
	m := new(manifests)
	decode(t, "volume.yaml", &m.claim, &m.config)
	decode(t, "run.yaml", &m.run)
	decode(t, "finalize.yaml", &m.finalize)
	return m
}

func loadStore(t *testing.T) *manifests {
	t.Helper()
	m := &manifests{store: new(core.ConfigMap)}
	decode(t, "store/store.yaml", m.store, &m.config)
	decode(t, "store/run.yaml", &m.run)
	decode(t, "store/finalize.yaml", &m.finalize)
	return m
}

// decode reads the documents of a file. Fields that a type lacks are errors.
func decode(t *testing.T, name string, objects ...any) {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
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
	for name, m := range map[string]*manifests{"volume": loadVolume(t), "store": loadStore(t)} {
		if broken := m.broken(); len(broken) > 0 {
			t.Errorf("%s: broken rules: %q", name, broken)
		}
	}
}

// TestRulesFindMistakes makes one mistake at a time. The schema allows each of them.
func TestRulesFindMistakes(t *testing.T) {
	nonIndexed, four, ten := batch.NonIndexedCompletion, int32(4), int64(10)
	yes, no := true, false
	codes := func(j *batch.Job) []int32 { return j.Spec.PodFailurePolicy.Rules[1].OnExitCodes.Values }
	spoilEach(t, loadVolume, map[string]func(m *manifests){
		"run: not Indexed":               func(m *manifests) { m.run.Spec.CompletionMode = &nonIndexed },
		"run: completions 4, tasks 16":   func(m *manifests) { m.run.Spec.Completions = &four },
		"run: no limit of repetitions":   func(m *manifests) { m.run.Spec.BackoffLimitPerIndex = nil },
		"run: fails at exit codes":       func(m *manifests) { codes(&m.run)[1] = 1 },
		"finalize: fails at exit codes":  func(m *manifests) { codes(&m.finalize)[1] = 1 },
		"run: evictions count":           func(m *manifests) { slices.Reverse(m.run.Spec.PodFailurePolicy.Rules) },
		"run: restarts in place":         func(m *manifests) { pod(&m.run).RestartPolicy = core.RestartPolicyOnFailure },
		"run: ends before --grace":       func(m *manifests) { pod(&m.run).TerminationGracePeriodSeconds = &ten },
		"run: service links":             func(m *manifests) { pod(&m.run).EnableServiceLinks = &yes },
		"finalize: may be root":          func(m *manifests) { pod(&m.finalize).SecurityContext.RunAsNonRoot = nil },
		"run: has a token of the API":    func(m *manifests) { pod(&m.run).AutomountServiceAccountToken = nil },
		"selfplay: writable root":        func(m *manifests) { first(&m.run).SecurityContext.ReadOnlyRootFilesystem = &no },
		"selfplay: keeps capabilities":   func(m *manifests) { first(&m.run).SecurityContext.Capabilities.Drop = nil },
		"verify: no memory limit":        func(m *manifests) { delete(limits(&m.finalize), core.ResourceMemory) },
		"verify: no volume dat":          func(m *manifests) { first(&m.finalize).VolumeMounts[0].Name = "dat" },
		"finalize: other image":          func(m *manifests) { first(&m.finalize).Image = "selfplay:old" },
		"verify: not the dataset of run": func(m *manifests) { first(&m.finalize).Args[1] = "/data/day" },
		"run: no claim":                  func(m *manifests) { m.claim.Name = "data" },
		"claim: one node only":           func(m *manifests) { m.claim.Spec.AccessModes[0] = core.ReadWriteOnce },
		"type batch/v1beta1 Job":         func(m *manifests) { m.run.APIVersion = "batch/v1beta1" },
		"run: no configuration":          func(m *manifests) { m.config.Data = nil },
	})
}

// TestRulesOfStoresFindMistakes does the same with the rules that only stores have.
func TestRulesOfStoresFindMistakes(t *testing.T) {
	secret, claim := core.EnvVar{Name: "AWS_SECRET_ACCESS_KEY", Value: "x"}, new(core.PersistentVolumeClaimVolumeSource)
	spoilEach(t, loadStore, map[string]func(m *manifests){
		"run: not in a store":           func(m *manifests) { first(&m.run).Args[6] = "/data/night" },
		"run: no size limit of scratch": func(m *manifests) { pod(&m.run).Volumes[0].EmptyDir.SizeLimit = nil },
		"run: shared volume scratch":    func(m *manifests) { pod(&m.run).Volumes[0].PersistentVolumeClaim = claim },
		"selfplay: no scratch folder":   func(m *manifests) { first(&m.run).VolumeMounts[0].MountPath = "/tmp" },
		"verify: no scratch folder":     func(m *manifests) { first(&m.finalize).Env = nil },
		"selfplay: no settings":         func(m *manifests) { first(&m.run).EnvFrom[0].ConfigMapRef.Name = "selfplay-night" },
		"selfplay: no credentials":      func(m *manifests) { first(&m.run).EnvFrom = first(&m.run).EnvFrom[:1] },
		"selfplay: credential AWS_":     func(m *manifests) { first(&m.run).Env = append(first(&m.run).Env, secret) },
		"store: credential AWS_":        func(m *manifests) { m.store.Data[secret.Name] = secret.Value },
		"verify: no limit of ephemeral": func(m *manifests) { delete(limits(&m.finalize), core.ResourceEphemeralStorage) },
		"type v1 Secret, not v1 Config": func(m *manifests) { m.store.Kind = "Secret" },
	})
}

func limits(j *batch.Job) core.ResourceList { return first(j).Resources.Limits }

// spoilEach loads the manifests once for each mistake, makes it, and wants the broken rule.
func spoilEach(t *testing.T, load func(*testing.T) *manifests, mistakes map[string]func(m *manifests)) {
	t.Helper()
	for want, spoil := range mistakes {
		m := load(t)
		spoil(m)
		if broken := strings.Join(m.broken(), "; "); !strings.Contains(broken, want) {
			t.Errorf("found %q, want %q", broken, want)
		}
	}
}
