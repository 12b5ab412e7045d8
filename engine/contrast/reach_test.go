package contrast_test

import "testing"

func TestReachable(t *testing.T) {
	for _, c := range []struct{ board, rest, want string }{
		{"xxxxx ..... ..... ..... ooooo", "3,1,3,1 x", ""},
		{"xxxxx ..... ..... ..... ooooo", "3,1,3,1 o", ""},
		{"xxxx. ..... ..... o.... .ooox", "3,1,3,1 o", "4 white pieces, want 5"},
		{"xxx.. ..... ..... ..... ooooo", "3,1,3,1 x", "3 black pieces, want 5"},
		{"xxxxx x.... ..... ..... ooooo", "3,1,3,1 x", "6 black pieces, want 5"},
		{"xxxxx b.... ..... ..... ooooo", "3,1,3,1 x", "7 black tiles on the board and in hand, want 6"},
		{"xxxxx ..... ..... ..... ooooo", "2,1,3,1 x", "5 black tiles on the board and in hand, want 6"},
		{"xxxxx g.... ..... ..... ooooo", "3,1,3,1 x", "3 gray tiles on the board and in hand, want 2"},
		{"xxxx. ..... ..... o.... oooox", "3,1,3,1 o", ""},
		{"xxxx. ..... ..... o.... oooox", "3,1,3,1 x", "black has reached its goal but is to move"},
		{"xxxxo x.... ..... ..... oooo.", "3,1,3,1 x", ""},
		{"xxxxo x.... ..... ..... oooo.", "3,1,3,1 o", "white has reached its goal but is to move"},
		{"xxxxo ..... ..... ..... oooox", "3,1,3,1 x", "2 pieces on their goal rows, want 1 at most"},
		{"xxx.. ..... ..... oo... oooxx", "3,1,3,1 o", "2 pieces on their goal rows, want 1 at most"},
	} {
		got, want := "", ""
		if err := at(t, boardText(c.board, c.rest)).Reachable(); err != nil {
			got = err.Error()
		}
		if c.want != "" {
			want = "reach position: " + c.want
		}
		if got != want {
			t.Errorf("%s %s: %q, want %q", c.board, c.rest, got, want)
		}
	}
}
