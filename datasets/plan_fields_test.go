package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// leaves calls visit with every text, number and list in v, by its path.
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

// change gives a leaf another value.
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
		v.Set(reflect.Append(v, reflect.ValueOf("x")))
	default:
		t.Fatalf("%s is a %v: say here how to change it", path, v.Kind())
	}
}

// TestEveryFieldOfAPlanCounts: a plan that differs in any field is another plan, by its
// hash, in its words, to a run, and on disk, where its hash gives it away.
func TestEveryFieldOfAPlanCounts(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 3, fakeOptions())
	want := tree(t, root)
	there, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	all := there.Plan()
	leaves("Plan", reflect.ValueOf(&all).Elem(), func(path string, _ reflect.Value) {
		t.Run(path, func(t *testing.T) {
			other := there.Plan()
			leaves("Plan", reflect.ValueOf(&other).Elem(), func(p string, v reflect.Value) {
				if p == path {
					change(t, p, v)
				}
			})
			if all.Hash() == other.Hash() || len(all.Diff(other)) != 1 {
				t.Errorf("the difference is %q", all.Diff(other))
			}
			if path != "Plan.Columns" && path != "Plan.Description" && path != "Plan.Writer" { // which Make fills in
				want := ErrPlanMismatch
				if other.Validate() != nil {
					want = nil // it is refused before anything is compared
				}
				if _, err := Make(context.Background(), root, other, 3, fakeOptions()); err == nil || want != nil && !errors.Is(err, want) {
					t.Errorf("made on top of another plan: %v", err)
				}
			}
			sameTree(t, tree(t, root), want)
			onDisk := t.TempDir()
			h := *there.h
			h.plan = other // under the hash of the first one
			if err := os.WriteFile(filepath.Join(onDisk, planName), h.encode(), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(onDisk); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), planName) {
				t.Errorf("opened, changed on disk: %v", err)
			}
		})
	})
}
