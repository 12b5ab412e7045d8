package kubernetes

import (
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
)

// The rules of where the dataset lies.

// volume: the dataset is on one claim, which many pods may write.
func (r *rules) volume(m *manifests) {
	modes := m.claim.Spec.AccessModes
	r.want(len(modes) == 1 && modes[0] == core.ReadWriteMany, "claim: one node only")
	for name, j := range m.jobs() {
		for _, v := range pod(j).Volumes {
			claim := v.PersistentVolumeClaim
			r.want(claim == nil || claim.ClaimName == m.claim.Name, "%s: no claim %s", name, v.Name)
		}
	}
}

// store: pods share no volume, make shards in a scratch folder of limited size, and have the settings of the store.
// Credentials come from a secret, which a role can replace.
func (r *rules) store(m *manifests) {
	r.want(strings.HasPrefix(flag(first(&m.run).Args, "--out"), "s3://"), "run: not in a store")
	for name, j := range m.jobs() {
		for _, v := range pod(j).Volumes {
			r.want(v.PersistentVolumeClaim == nil, "%s: shared volume %s", name, v.Name)
			r.want(v.EmptyDir == nil || v.EmptyDir.SizeLimit != nil, "%s: no size limit of %s", name, v.Name)
		}
		for _, c := range containers(j) {
			r.settings(c, m.store.Name)
		}
	}
	for key := range m.store.Data {
		r.want(!isCredential(key), "store: credential %s in the open", key)
	}
}

// settings: a container has those of the store.
func (r *rules) settings(c core.Container, store string) {
	config, secret := false, false
	for _, e := range c.EnvFrom {
		config = config || e.ConfigMapRef != nil && e.ConfigMapRef.Name == store
		secret = secret || e.SecretRef != nil && e.SecretRef.Name == store && isTrue(e.SecretRef.Optional)
	}
	r.want(config, "%s: no settings of the store", c.Name)
	r.want(secret, "%s: no credentials", c.Name)
	scratch := slices.IndexFunc(c.Env, func(e core.EnvVar) bool { return e.Name == "SELFPLAY_SCRATCH" })
	r.want(scratch >= 0 && slices.ContainsFunc(c.VolumeMounts, func(v core.VolumeMount) bool {
		return v.MountPath == c.Env[scratch].Value && !v.ReadOnly
	}), "%s: no scratch folder", c.Name)
	for _, e := range c.Env {
		r.want(!isCredential(e.Name), "%s: credential %s in the open", c.Name, e.Name)
	}
	r.want(!c.Resources.Limits.StorageEphemeral().IsZero(), "%s: no limit of ephemeral storage", c.Name)
}

// isCredential reports whether a variable has a part of credentials.
func isCredential(name string) bool {
	return strings.Contains(name, "KEY") || strings.Contains(name, "SECRET") || strings.Contains(name, "TOKEN")
}
