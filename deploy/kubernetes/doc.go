// Package kubernetes tests the manifests of this folder. Strict decoding into the types of k8s.io/api
// finds unknown fields and wrong types. Rules of this package find what no schema says: that a job is
// Indexed, that it has as many completions as the run has tasks, and that its pods have no rights they do
// not need. The commands of the jobs run on a small dataset.
//
// It is a module of its own: the programs do not need k8s.io/api.
//
// Sources: the API types of k8s.io/api, and https://kubernetes.io/docs/concepts/workloads/controllers/job/.
package kubernetes
