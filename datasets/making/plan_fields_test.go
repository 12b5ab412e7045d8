package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// leaves calls visit for every string, number and list in v, with its path.
func leaves(path string, v reflect.Value, visit func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(path+"."+v.Type().Field(i).Name, v.Field(i), visit)
		}
	case reflect.Array:
		for i := range v.Len() {
			leaves(path+"["+string(rune('0'+i))+"]", v.Index(i), visit)
		}
	default:
		visit(path, v)
	}
}

// change changes the value of a leaf.
func change(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.Append(v, reflect.ValueOf(plan.Evaluator{Name: "mine", Manifest: strings.Repeat("a", 64), Fingerprint: strings.Repeat("b", 64)})))
			return
		}
		v.Set(reflect.Append(v, reflect.ValueOf("x")))
	default:
		t.Fatalf("%s: add a case for %v here", path, v.Kind())
	}
}

// TestEveryFieldOfAPlanMatters: a change of any field changes the hash, is listed by Diff,
// is refused by Make, and is found when plan.json is read.
func TestEveryFieldOfAPlanMatters(t *testing.T) {
	root := made(t, fakePlan(), 3)
	want := tree(t, root)
	ds := must.Get(datasets.Open(root))(t)
	all := ds.Plan()
	leaves("Plan", reflect.ValueOf(&all).Elem(), func(path string, _ reflect.Value) {
		t.Run(path, func(t *testing.T) {
			other := ds.Plan()
			leaves("Plan", reflect.ValueOf(&other).Elem(), func(p string, v reflect.Value) {
				if p == path {
					change(t, p, v)
				}
			})
			if all.Hash() == other.Hash() || len(all.Diff(other)) != 1 {
				t.Errorf("the difference is %q", all.Diff(other))
			}
			if path != "Plan.Columns" && path != "Plan.Description" && path != "Plan.Writer" { // Make fills these in
				want := datasets.ErrPlanMismatch
				if other.Validate() != nil {
					want = nil // refused before plans are compared
				}
				if _, err := Make(context.Background(), root, other, 3, fakeOptions()); err == nil || want != nil && !errors.Is(err, want) {
					t.Errorf("Make: %v", err)
				}
			}
			sameTree(t, tree(t, root), want)
			onDisk := t.TempDir()
			h := *readPlan(t, disk.Dir{Root: root, FS: disk.OS{}})
			h.Plan = other // with the hash of the original plan
			must.Do(t, os.WriteFile(filepath.Join(onDisk, plan.FileName), h.Encode(), 0o644))
			if _, err := datasets.Open(onDisk); !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), plan.FileName) {
				t.Errorf("Open: %v", err)
			}
		})
	})
}
