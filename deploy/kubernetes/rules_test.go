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

// finalExitCodes are the exit codes after which no repetition helps: see docs/operations.md.
var finalExitCodes = []int32{2, 4, 5, 6}

func pod(j *batch.Job) *core.PodSpec     { return &j.Spec.Template.Spec }
func first(j *batch.Job) *core.Container { return &pod(j).Containers[0] }

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
	r.failures(&m.run)
	for name, j := range map[string]*batch.Job{"run": &m.run, "finalize": &m.finalize} {
		r.pod(name, pod(j))
		for _, c := range slices.Concat(pod(j).InitContainers, pod(j).Containers) {
			r.container(c, pod(j).Volumes)
			r.want(c.Image == first(&m.run).Image, "%s: other image", name)
		}
	}
	r.storage(m)
	return *r
}

// types: the cluster reads each object as the type that it was decoded into.
func (r *rules) types(m *manifests) {
	for want, o := range map[string]meta.TypeMeta{
		"batch/v1 Job run": m.run.TypeMeta, "batch/v1 Job finalize": m.finalize.TypeMeta,
		"v1 PersistentVolumeClaim": m.claim.TypeMeta, "v1 ConfigMap": m.config.TypeMeta,
	} {
		r.want(strings.HasPrefix(want, o.APIVersion+" "+o.Kind), "type %s %s, not %s", o.APIVersion, o.Kind, want)
	}
}

// indexed: every task runs once, with its number.
func (r *rules) indexed(j *batch.Job) {
	s := j.Spec
	r.want(s.CompletionMode != nil && *s.CompletionMode == batch.IndexedCompletion, "run: not Indexed")
	tasks := flag(first(j).Args, "--task-count")
	r.want(s.Completions != nil && fmt.Sprint(*s.Completions) == tasks, "run: completions %d, tasks %s", *s.Completions, tasks)
	r.want(s.Parallelism != nil && *s.Parallelism <= *s.Completions, "run: more pods than tasks")
	r.want(s.BackoffLimitPerIndex != nil, "run: no limit of repetitions for each task")
}

// failures: evictions do not count, and final exit codes end a task. The first rule that matches
// applies.
func (r *rules) failures(j *batch.Job) {
	list := j.Spec.PodFailurePolicy.Rules
	ignored := slices.IndexFunc(list, func(p batch.PodFailurePolicyRule) bool {
		return p.Action == batch.PodFailurePolicyActionIgnore && p.OnPodConditions[0].Type == core.DisruptionTarget
	})
	r.want(ignored == 0, "run: evictions count as failures")
	failed := slices.IndexFunc(list, func(p batch.PodFailurePolicyRule) bool { return p.Action == batch.PodFailurePolicyActionFailIndex })
	codes := list[failed].OnExitCodes
	r.want(*codes.ContainerName == first(j).Name && codes.Operator == batch.PodFailurePolicyOnExitCodesOpIn &&
		slices.Equal(codes.Values, finalExitCodes), "run: fails at exit codes %v", codes.Values)
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

// storage: all commands use one dataset on one claim, which many pods may write, and the
// configuration exists.
func (r *rules) storage(m *manifests) {
	out := flag(first(&m.run).Args, "--out")
	for _, c := range slices.Concat(pod(&m.finalize).InitContainers, pod(&m.finalize).Containers) {
		r.want(slices.Equal(c.Args, []string{c.Name, out}), "%s: not the dataset of run", c.Name)
	}
	r.want(slices.Equal(m.claim.Spec.AccessModes, []core.PersistentVolumeAccessMode{core.ReadWriteMany}), "claim: one node only")
	for name, j := range map[string]*batch.Job{"run": &m.run, "finalize": &m.finalize} {
		for _, v := range pod(j).Volumes {
			claim, config := v.PersistentVolumeClaim, v.ConfigMap
			r.want(claim == nil || claim.ClaimName == m.claim.Name, "%s: no claim %s", name, v.Name)
			r.want(config == nil || config.Name == m.config.Name, "%s: no configuration %s", name, v.Name)
		}
	}
	_, file, _ := strings.Cut(flag(first(&m.run).Args, "--config"), "/etc/selfplay/")
	r.want(m.config.Data[file] != "", "run: no configuration %q", file)
}

func isTrue(b *bool) bool  { return b != nil && *b }
func isFalse(b *bool) bool { return b != nil && !*b }
