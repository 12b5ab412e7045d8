package kubernetes

import (
	"fmt"
	"slices"
	"strings"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// runGrace is the default of --grace, in seconds.
const runGrace = 25

// Exit codes after which no repetition helps: see docs/operations.md. Exit code 3 is that of --stop-after, and of
// missing shards.
var (
	finalOfRun      = []int32{2, 3, 4, 5, 6}
	finalOfFinalize = []int32{2, 3, 4}
)

func pod(j *batch.Job) *core.PodSpec     { return &j.Spec.Template.Spec }
func first(j *batch.Job) *core.Container { return &pod(j).Containers[0] }

// containers returns all containers of a job, in the order in which they run.
func containers(j *batch.Job) []core.Container {
	return slices.Concat(pod(j).InitContainers, pod(j).Containers)
}

// flag returns the value of a flag, "" without it.
func flag(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

// rules collects broken rules.
type rules []string

// want adds a text if a rule does not hold.
func (r *rules) want(holds bool, format string, args ...any) {
	if !holds {
		*r = append(*r, fmt.Sprintf(format, args...))
	}
}

// broken returns the rules that the manifests break.
func (m *manifests) broken() []string {
	r := new(rules)
	r.types(m)
	r.indexed(&m.run)
	r.failures("run", &m.run, batch.PodFailurePolicyActionFailIndex, finalOfRun)
	r.failures("finalize", &m.finalize, batch.PodFailurePolicyActionFailJob, finalOfFinalize)
	for name, j := range m.jobs() {
		r.pod(name, pod(j))
		for _, c := range containers(j) {
			r.container(c, pod(j).Volumes)
			r.want(c.Image == first(&m.run).Image, "%s: other image", name)
		}
	}
	r.dataset(m)
	if m.store == nil {
		r.volume(m)
	} else {
		r.store(m)
	}
	return *r
}

// types: the cluster reads each object as the type that it was decoded into.
func (r *rules) types(m *manifests) {
	is := func(o meta.TypeMeta, version, kind string) {
		r.want(o.APIVersion == version && o.Kind == kind, "type %s %s, not %s %s", o.APIVersion, o.Kind, version, kind)
	}
	is(m.run.TypeMeta, "batch/v1", "Job")
	is(m.finalize.TypeMeta, "batch/v1", "Job")
	is(m.config.TypeMeta, "v1", "ConfigMap")
	if m.store == nil {
		is(m.claim.TypeMeta, "v1", "PersistentVolumeClaim")
	} else {
		is(m.store.TypeMeta, "v1", "ConfigMap")
	}
}

// indexed: every task runs once, with its number.
func (r *rules) indexed(j *batch.Job) {
	s := j.Spec
	r.want(s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion, "run: not Indexed")
	tasks := flag(first(j).Args, "--task-count")
	completions := fmt.Sprint(*s.Completions)
	r.want(completions == tasks, "run: completions %s, tasks %s", completions, tasks)
	r.want(s.Parallelism != nil && *s.Parallelism <= *s.Completions, "run: more pods than tasks")
	r.want(s.BackoffLimitPerIndex != nil, "run: no limit of repetitions for each task")
}

// failures: evictions do not count, and after final exit codes nothing is repeated. The first rule that matches
// applies.
func (r *rules) failures(name string, j *batch.Job, action batch.PodFailurePolicyAction, final []int32) {
	list := j.Spec.PodFailurePolicy.Rules
	ignored := slices.IndexFunc(list, func(p batch.PodFailurePolicyRule) bool {
		return p.Action == batch.PodFailurePolicyActionIgnore && p.OnPodConditions[0].Type == core.DisruptionTarget
	})
	r.want(ignored == 0, "%s: evictions count as failures", name)
	failed := slices.IndexFunc(list, func(p batch.PodFailurePolicyRule) bool { return p.Action == action })
	codes := list[failed].OnExitCodes
	all := codes.ContainerName == nil
	r.want(all || *codes.ContainerName == first(j).Name, "%s: exit codes of another container", name)
	r.want(codes.Operator == batch.PodFailurePolicyOnExitCodesOpIn && slices.Equal(codes.Values, final),
		"%s: fails at exit codes %v", name, codes.Values)
}

func (r *rules) pod(name string, p *core.PodSpec) {
	s := p.SecurityContext
	r.want(p.RestartPolicy == core.RestartPolicyNever, "%s: restarts in place", name)
	r.want(*p.TerminationGracePeriodSeconds >= 2*runGrace, "%s: ends before --grace", name)
	r.want(isFalse(p.EnableServiceLinks), "%s: service links", name)
	r.want(isFalse(p.AutomountServiceAccountToken), "%s: has a token of the API", name)
	r.want(s != nil && isTrue(s.RunAsNonRoot) && *s.RunAsUser == 65532, "%s: may be root", name)
	r.want(s.SeccompProfile != nil, "%s: no seccomp profile", name)
}

func (r *rules) container(c core.Container, volumes []core.Volume) {
	s := c.SecurityContext
	r.want(isTrue(s.ReadOnlyRootFilesystem), "%s: writable root file system", c.Name)
	r.want(isFalse(s.AllowPrivilegeEscalation), "%s: may gain rights", c.Name)
	r.want(slices.Contains(s.Capabilities.Drop, "ALL"), "%s: keeps capabilities", c.Name)
	r.want(!c.Resources.Requests.Cpu().IsZero(), "%s: no CPU request", c.Name)
	r.want(!c.Resources.Limits.Memory().IsZero(), "%s: no memory limit", c.Name)
	for _, mount := range c.VolumeMounts {
		known := slices.ContainsFunc(volumes, func(v core.Volume) bool { return v.Name == mount.Name })
		r.want(known, "%s: no volume %s", c.Name, mount.Name)
	}
}

// dataset: all commands use one dataset, and the configuration exists.
func (r *rules) dataset(m *manifests) {
	out := flag(first(&m.run).Args, "--out")
	for _, c := range containers(&m.finalize) {
		r.want(slices.Equal(c.Args, []string{c.Name, out}), "%s: not the dataset of run", c.Name)
	}
	for _, v := range pod(&m.run).Volumes {
		r.want(v.ConfigMap == nil || v.ConfigMap.Name == m.config.Name, "run: no configuration %s", v.Name)
	}
	_, file, _ := strings.Cut(flag(first(&m.run).Args, "--config"), "/etc/selfplay/")
	r.want(m.config.Data[file] != "", "run: no configuration %q", file)
}

func isTrue(b *bool) bool  { return b != nil && *b }
func isFalse(b *bool) bool { return b != nil && !*b }
