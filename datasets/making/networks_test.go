package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// networkPlan returns a plan with two networks and their files.
func networkPlan() (plan.Plan, [][]byte) {
	p, files := fakePlan(), [][]byte{[]byte("one network"), []byte("another network"), []byte("one network")}
	p.SetNetworks(files)
	return p, files
}

func TestPlansNameNetworksOnceAndSorted(t *testing.T) {
	p, _ := networkPlan()
	if len(p.Networks) != 2 || !slices.IsSorted(p.Networks) || p.WithDefaults().Validate() != nil {
		t.Errorf("networks %q", p.Networks)
	}
	for name, change := range map[string]func(*plan.Plan){
		"unsorted":  func(p *plan.Plan) { slices.Reverse(p.Networks) },
		"twice":     func(p *plan.Plan) { p.Networks[1] = p.Networks[0] },
		"short":     func(p *plan.Plan) { p.Networks = []string{"abc"} },
		"path":      func(p *plan.Plan) { p.Networks = []string{"../" + strings.Repeat("a", 61)} },
		"uppercase": func(p *plan.Plan) { p.Networks = []string{strings.Repeat("A", 64)} },
		"many":      func(p *plan.Plan) { p.Networks = slices.Repeat(p.Networks, 16) },
	} {
		p, _ := networkPlan()
		if change(&p); p.WithDefaults().Validate() == nil {
			t.Errorf("%s: %q is valid", name, p.Networks)
		}
	}
}

// TestMakeKeepsNetworks: the files are there from the beginning, and later runs need them no
// more.
func TestMakeKeepsNetworks(t *testing.T) {
	root := filepath.Join(t.TempDir(), "dataset")
	p, files := networkPlan()
	o := fakeOptions()
	for _, given := range [][][]byte{nil, files[:1], {[]byte("a third one")}} {
		o.Networks = given
		_, err := Make(context.Background(), root, p, 3, o)
		if _, statErr := os.Stat(root); !errors.Is(err, plan.ErrNoNetwork) || !errors.Is(statErr, os.ErrNotExist) {
			t.Errorf("%d networks given: got %v; the directory: %v", len(given), err, statErr)
		}
	}
	o.Networks, o.Play = files, playNothing
	must.Fail(Make(context.Background(), root, p, 3, o))(t, fault.ErrIncomplete, "")
	o.Networks, o.Play = nil, fakePlay
	makeIn(t, root, p, 3, o)
	makeIn(t, root, p, 7, o)
	ds := must.Get(datasets.Open(root))(t)
	stored, err := ds.Networks()
	if err != nil || len(stored) != 2 || problems(t, root, checking.VerifyQuick) != "" {
		t.Errorf("%q, %v, problems %s", stored, err, problems(t, root, checking.VerifyQuick))
	}
	must.Fail(ds.Network(strings.Repeat("0", 64)))(t, plan.ErrNoNetwork, "")
	text := tree(t, root)
	for _, sum := range p.Networks {
		if !strings.Contains(text[plan.CardName], sum) || !strings.Contains(text[plan.ManifestName], `"nets/`+sum+`.safetensors"`) {
			t.Errorf("card or manifest do not name network %s", sum)
		}
	}
}

// TestNetworksWithoutAPlan: a run that was killed before it wrote the plan goes on.
func TestNetworksWithoutAPlan(t *testing.T) {
	root := t.TempDir()
	p, files := networkPlan()
	o := fakeOptions()
	o.Networks = files
	makeIn(t, root, p, 3, o)
	want := tree(t, root)
	for _, name := range []string{plan.FileName, plan.ManifestName, plan.CardName, plan.CroissantName, plan.Positions, plan.Games, ".selfplay", plan.NetworkName(p.Networks[1])} {
		must.Do(t, os.RemoveAll(filepath.Join(root, filepath.FromSlash(name))))
	}
	makeIn(t, root, p, 3, o)
	sameTree(t, tree(t, root), want)
}

// TestOtherPlansLeaveNetworksAlone: a refused run writes no network.
func TestOtherPlansLeaveNetworksAlone(t *testing.T) {
	root := made(t, fakePlan(), 3)
	want := tree(t, root)
	plan, files := networkPlan()
	o := fakeOptions()
	o.Networks = files
	must.Fail(Make(context.Background(), root, plan, 3, o))(t, datasets.ErrPlanMismatch, "")
	sameTree(t, tree(t, root), want)
}

// TestDamagedNetworksAreReported: Verify and Repair name the file, and Make refuses it.
func TestDamagedNetworksAreReported(t *testing.T) {
	root := t.TempDir()
	p, files := networkPlan()
	o := fakeOptions()
	o.Networks = files
	makeIn(t, root, p, 3, o)
	name := plan.NetworkName(p.Networks[0])
	write(t, root, name, "flipped")
	if got := problems(t, root, checking.VerifyQuick); !strings.Contains(got, name) {
		t.Errorf("problems %q", got)
	}
	report, err := checking.Repair(context.Background(), root, checking.RepairOptions{})
	if err != nil || len(report.Actions) != 0 || len(report.Left) != 1 || report.Left[0].Kind != checking.ProblemNetwork {
		t.Errorf("repair %+v, error %v", report, err)
	}
	must.Fail(Make(context.Background(), root, p, 6, o))(t, fault.ErrCorrupt, "")
	os.Remove(filepath.Join(root, filepath.FromSlash(name)))
	makeIn(t, root, p, 6, o)
	if got := problems(t, root, checking.VerifyDeep); got != "" {
		t.Error(got)
	}
}
