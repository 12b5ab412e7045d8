package goroutine

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestPanicIsTheErrorOfTheGroup(t *testing.T) {
	g, ctx := WithContext(context.Background())
	g.Go(func() error { panic("no such wing") })
	g.Go(func() error { <-ctx.Done(); return nil }) // a panic stops the others
	var caught *PanicError
	if err := g.Wait(); !errors.As(err, &caught) || err.Error() != "panic: no such wing" {
		t.Fatalf("%v, want the panic", err)
	}
	if !strings.Contains(string(caught.Stack), "goroutine_test.go") {
		t.Errorf("the stack does not show the panic:\n%s", caught.Stack)
	}
}

func TestPanicWithAnErrorHidesThatError(t *testing.T) {
	g := New()
	g.SetLimit(1)
	g.Go(func() error { panic(context.Canceled) })
	if err := g.Wait(); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("%v, want an error that is not context.Canceled", err)
	}
}

func TestCatchReturnsTheErrorOfItsFunction(t *testing.T) {
	want := errors.New("no wind")
	if err := Catch(func() error { return want }); err != want {
		t.Errorf("%v, want %v", err, want)
	}
	if err := Catch(func() error { return nil }); err != nil {
		t.Errorf("%v, want no error", err)
	}
}
