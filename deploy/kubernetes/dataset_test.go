package kubernetes

import (
	"bytes"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	core "k8s.io/api/core/v1"
)

// The commands of the jobs run, with few games, for every task number. The dataset is compared with that of one run.

// cluster runs commands of containers on this machine.
type cluster struct {
	t       *testing.T
	dir     string
	program string
	*manifests
}

func newCluster(t *testing.T, m *manifests) *cluster {
	c := &cluster{t, t.TempDir(), "", m}
	c.program = filepath.Join(c.dir, "selfplay")
	build := exec.Command("go", "build", "-o", c.program, "./cmd/selfplay")
	build.Dir = "../.."
	c.execute(build)
	few := strings.NewReplacer("200k", "32", "balanced", "bulk").Replace(m.config.Data["night.yaml"])
	must.Do(t, os.WriteFile(filepath.Join(c.dir, "night.yaml"), []byte(few+"shard-games: 2\n"), 0o644))
	return c
}

// run runs all containers of both jobs, with a list of variables in place of the settings of the store.
func (c *cluster) run(settings ...string) {
	c.t.Helper()
	for _, index := range strings.Fields("5 0 1 2 3 4 6 7 8 9 10 11 12 13 14 15") {
		c.start(*first(&c.manifests.run), append(settings, "JOB_COMPLETION_INDEX="+index))
	}
	for _, container := range containers(&c.finalize) {
		c.start(container, settings)
	}
}

// start runs a container, which must succeed. It has the variables of its manifest and an empty scratch folder.
func (c *cluster) start(container core.Container, variables []string) {
	c.t.Helper()
	jobs := filepath.Join(c.dir, "jobs")
	local := strings.NewReplacer("/etc/selfplay", c.dir, "/data/night", jobs, "/scratch", c.t.TempDir())
	command := exec.Command(c.program)
	for _, arg := range container.Args {
		command.Args = append(command.Args, local.Replace(arg))
	}
	command.Env = append([]string{}, variables...)
	for _, v := range container.Env {
		command.Env = append(command.Env, v.Name+"="+local.Replace(v.Value))
	}
	c.execute(command)
}

// local makes the dataset with one run, and returns its folder.
func (c *cluster) local() string {
	c.t.Helper()
	out := filepath.Join(c.dir, "local")
	c.execute(exec.Command(c.program, "run", "--config", filepath.Join(c.dir, "night.yaml"), "--out", out))
	return out
}

// execute runs a command, which must succeed.
func (c *cluster) execute(command *exec.Cmd) {
	c.t.Helper()
	if text, err := command.CombinedOutput(); err != nil {
		c.t.Fatalf("%q: %v\n%s", command.Args, err, text)
	}
}

func TestJobsMakeTheDatasetOfALocalRun(t *testing.T) {
	c := newCluster(t, loadVolume(t))
	c.run()
	c.execute(exec.Command("diff", "-r", c.local(), filepath.Join(c.dir, "jobs")))
}

func TestJobsMakeTheSameDatasetInAStore(t *testing.T) {
	backend := s3mem.New()
	must.Do(t, backend.CreateBucket("bucket"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	defer server.Close()
	c := newCluster(t, loadStore(t))
	settings := []string{"AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=testtest"}
	for name, value := range c.store.Data {
		settings = append(settings, name+"="+value)
	}
	c.run(settings...)
	compare(t, c.local(), backend)
}

// compare wants each file of a dataset outside .selfplay, and its commit records, in a store.
func compare(t *testing.T, local string, backend gofakes3.Backend) {
	t.Helper()
	compared := 0
	err := filepath.WalkDir(local, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(local, path)
		local := strings.HasPrefix(name, ".selfplay/") && !strings.HasPrefix(name, ".selfplay/commits/")
		if err != nil || d.IsDir() || local {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		o, err := backend.GetObject("bucket", "night/"+name, nil)
		if err != nil {
			return err
		}
		defer o.Contents.Close()
		if found, err := io.ReadAll(o.Contents); err != nil || !bytes.Equal(found, want) {
			t.Errorf("%s differs: %v", name, err)
		}
		compared++
		return nil
	})
	if err != nil || compared < 3*16 { // of each shard two files and a record
		t.Fatalf("%d files are equal, %v", compared, err)
	}
}
