package making

import (
	"context"
	"errors"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// TestRunsContinueDatasetsOfFormat1: the same call that makes a new dataset of the newest format resumes one of
// format 1, its journals included, and extends it, with the bytes of format 1.
func TestRunsContinueDatasetsOfFormat1(t *testing.T) {
	want := tree(t, made(t, oldPlan(), 20))
	root := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o := fakeOptions()
	o.OpenShards = 1
	o.Play = stopAfter(7, cancel)
	must.Fail(Make(ctx, root, oldPlan(), 14, o))(t, fault.ErrIncomplete, "")
	if s := makeIn(t, root, fakePlan(), 14, fakeOptions()); s.Made == 0 {
		t.Error("the run was complete")
	}
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	sameTree(t, tree(t, root), want)
}

// TestFormat1OfOtherVersionsIsRefused: nothing is changed, and the error names versions and release.
func TestFormat1OfOtherVersionsIsRefused(t *testing.T) {
	root := made(t, oldPlan(), 5)
	want := tree(t, root)
	newer := fakePlan()
	for side := range newer.Players {
		newer.Players[side].Version++
	}
	_, err := Make(t.Context(), root, newer, 8, fakeOptions())
	must.Fail(0, err)(t, datasets.ErrPlanMismatch, "player: random v1 there, random v2 here; only a program with these versions continues the dataset: release 0.1")
	sameTree(t, tree(t, root), want)
	other := newer
	other.Seed = 9
	if _, err := Make(t.Context(), root, other, 8, fakeOptions()); !errors.Is(err, datasets.ErrPlanMismatch) {
		t.Errorf("another seed: %v", err)
	}
	if p := must.Get(datasets.Open(root))(t).Plan(); p.FormatVersion() != 1 || plan.NewestFormat == 1 {
		t.Errorf("format %d", p.FormatVersion())
	}
}
