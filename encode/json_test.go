package encode

import (
	"strings"
	"testing"
)

func TestObjectKeepsOrderAndText(t *testing.T) {
	inner := Object{{Name: "<", Value: []int{1, 2}}}
	var o Object
	o.Add("z", "Tc3>xd3")
	o.Add("a", nil)
	o.Add("in", inner)
	o = append(o, Member{Name: "ok", Value: true})
	var b strings.Builder
	if err := NewJSON(&b).Encode(o); err != nil {
		t.Fatal(err)
	}
	if want := `{"z":"Tc3>xd3","a":null,"in":{"<":[1,2]},"ok":true}` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	if err := NewJSON(&b).Encode(Object{{Name: "f", Value: func() {}}}); err == nil {
		t.Error("a function is encoded without an error")
	}
}
