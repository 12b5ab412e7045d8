package encode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestConditionsOfWhereChooseTheirDecisions compares each condition with another way to compute it.
func TestConditionsOfWhereChooseTheirDecisions(t *testing.T) {
	searched := func(d decisionOf) bool { return d.rec.Nodes[d.ply] != 0 }
	beyond := func(d decisionOf, n int16) bool { return searched(d) && (d.score() > n || d.score() < -n) }
	for _, c := range []struct {
		condition string
		holds     func(d decisionOf) bool
	}{
		{"game=3|10-12", func(d decisionOf) bool { n := d.rec.Game; return n == 3 || n >= 10 && n <= 12 }},
		{"result=none", func(d decisionOf) bool { return d.rec.Outcome.Result == engine.NoResult }},
		{"result!=none|draw", func(d decisionOf) bool {
			return d.rec.Outcome.Result == engine.FirstWins || d.rec.Outcome.Result == engine.SecondWins
		}},
		{"limit", func(d decisionOf) bool { return d.rec.Outcome.Reason == engine.PlyLimit }},
		{"!limit", func(d decisionOf) bool { return d.rec.Outcome.Reason != engine.PlyLimit }},
		{"!reason=ply_limit|repetition", func(d decisionOf) bool {
			return d.rec.Outcome.Reason != engine.PlyLimit && d.rec.Outcome.Reason != engine.Repetition
		}},
		{"reason=ply_limit", func(d decisionOf) bool { return d.rec.Outcome.Reason == engine.PlyLimit }},
		{"player=p4", func(d decisionOf) bool { return d.rec.Game == 4 }},
		{`player_first!="p4"|p5`, func(d decisionOf) bool { return d.rec.Game != 4 && d.rec.Game != 5 }},
		{`player_second="a,b=1"`, func(d decisionOf) bool { return d.rec.Game%2 == 0 }},
		{"plies=100-", func(d decisionOf) bool { return len(d.rec.Actions) >= 100 }},
		{"plies=-100", func(d decisionOf) bool { return len(d.rec.Actions) <= 100 }},
		{"ply>=8", func(d decisionOf) bool { return d.ply >= 8 }},
		{"!ply=8-|3", func(d decisionOf) bool { return d.ply < 8 && d.ply != 3 }},
		{"ply<8", func(d decisionOf) bool { return d.ply < 8 }},
		{"plies_left<=5", func(d decisionOf) bool { return d.ply+5 >= len(d.rec.Actions) }},
		{"phase=end|opening", func(d decisionOf) bool { n := len(d.rec.Actions); return 3*d.ply >= 2*n || 3*d.ply < n }},
		{"move_rank=255", func(d decisionOf) bool { return d.rec.MoveRanks[d.ply] == 255 }},
		{"!random", func(d decisionOf) bool { return d.rec.MoveRanks[d.ply] != 255 }},
		{"score>-300", func(d decisionOf) bool { return searched(d) && d.score() > -300 }},
		{"score!=-300", func(d decisionOf) bool { return searched(d) && d.score() != -300 }},
		{"!score!=-300", func(d decisionOf) bool { return !searched(d) || d.score() == -300 }},
		{"abs_score>700", func(d decisionOf) bool { return beyond(d, 700) }},
		{"abs_score<=700", func(d decisionOf) bool { return searched(d) && !beyond(d, 700) }},
		{"!abs_score>700", func(d decisionOf) bool { return !beyond(d, 700) }},
		{"!abs_score>0", func(d decisionOf) bool { return !beyond(d, 0) }},
		{"unlikely>600", func(d decisionOf) bool { return unlikely(d, 600) }},
		{"!unlikely>600", func(d decisionOf) bool { return !unlikely(d, 600) }},
		{"unlikely<=600", func(d decisionOf) bool {
			return searched(d) && d.rec.Outcome.Reason != engine.PlyLimit && !unlikely(d, 600)
		}},
		{"!unlikely>0", func(d decisionOf) bool { return !unlikely(d, 0) }},
		{"nodes=0", func(d decisionOf) bool { return !searched(d) }},
		{"!unsearched", searched},
		{"outcome=won", func(d decisionOf) bool { return d.rec.Outcome.For(d.pos.Turn()) == 1 }},
		{"outcome!=won|lost", func(d decisionOf) bool { return d.rec.Outcome.For(d.pos.Turn()) == 0 }},
		{"check", func(d decisionOf) bool { return d.pos.Check() }},
		{"capture", func(d decisionOf) bool { return fewerPieces(d.game, d.pos, d.rec.Best[d.ply]) }},
		{"only", func(d decisionOf) bool { return len(d.pos.Moves(nil)) == 1 }},
		{"!capture", func(d decisionOf) bool { return !fewerPieces(d.game, d.pos, d.rec.Best[d.ply]) }},
		{"legal>30", func(d decisionOf) bool { return len(d.pos.Moves(nil)) > 30 }},
		{"pieces<28", func(d decisionOf) bool {
			return d.game.Name == "contrast" || pieces(d.pos, engine.First)+pieces(d.pos, engine.Second) < 28
		}},
	} {
		t.Run(c.condition, func(t *testing.T) {
			held, not := 0, 0
			for _, game := range encode.Games() {
				f := encode.Filter{Where: must.Get(game.ParseWhere(c.condition, nil))(t)}
				for number := range uint64(30) {
					rec, p := searchedRecord(&game, number, 200), game.New("")
					rec.Players = [2]string{"p" + string(rune('0'+number)), []string{"a,b=1", "c"}[number%2]}
					var want []int
					replayOn(t, &game, p, rec, func(ply int, _ engine.Move) {
						if c.holds(decisionOf{&game, rec, ply, p}) {
							want = append(want, ply)
						}
					})
					held, not = held+len(want), not+len(rec.Actions)-len(want)
					if got, _ := filtered(t, &game, f, 1, rec); !slices.Equal(got, want) {
						t.Fatalf("%s, game %d: plies %v, want %v", game.Name, number, got, want)
					}
					if got := planned(t, &game, f.Where, rec); !slices.Equal(got, want) {
						t.Fatalf("%s, game %d: plies %v by stages, want %v", game.Name, number, got, want)
					}
				}
			}
			if held < 20 || not < 20 {
				t.Errorf("the condition held for %d decisions of %d", held, held+not)
			}
		})
	}
}

// unlikely reports whether a score above n or below -n and the outcome disagree.
func unlikely(d decisionOf, n int16) bool {
	won, lost := engine.FirstWins, engine.SecondWins
	if d.pos.Turn() == engine.Second {
		won, lost = lost, won
	}
	high, low, o := d.score() > n, d.score() < -n, d.rec.Outcome
	return d.rec.Nodes[d.ply] != 0 && o.Reason != engine.PlyLimit && (high && o.Result != won || low && o.Result != lost)
}

// TestLeadIsThatOfTheBoard: of the side to move by its pieces, and of a game the largest one. Contrast has none.
func TestLeadIsThatOfTheBoard(t *testing.T) {
	g := encode.Chess()
	worth := map[rune]int{'P': 100, 'N': 320, 'B': 330, 'R': 500, 'Q': 900}
	lead := func(p engine.Position) (first int) {
		board, _, _ := strings.Cut(p.String(), " ")
		for _, r := range board {
			first += worth[r]
			if unicode.IsLower(r) {
				first -= worth[unicode.ToUpper(r)]
			}
		}
		return first
	}
	for number := range uint64(20) {
		rec, p := searchedRecord(&g, number, 120), g.New("")
		var want []int
		largest := [2]int{}
		replayOn(t, &g, p, rec, func(ply int, _ engine.Move) {
			first := lead(p)
			largest = [2]int{max(largest[0], first), max(largest[1], -first)}
			if first*(1-2*int(p.Turn())) >= 200 {
				want = append(want, ply)
			}
		})
		first := lead(p) // of the final position
		largest = [2]int{max(largest[0], first), max(largest[1], -first)}
		where := func(text string) []int {
			plies, _ := filtered(t, &g, encode.Filter{Where: must.Get(g.ParseWhere(text, nil))(t)}, 1, rec)
			return plies
		}
		if got := where("lead>=200"); !slices.Equal(got, want) {
			t.Errorf("game %d: plies %v lead by 200, want %v", number, got, want)
		}
		if all := where(fmt.Sprintf("lead_first=%d,lead_second=%d", largest[0], largest[1])); len(all) != len(rec.Actions) {
			t.Errorf("game %d: largest leads are not %d", number, largest)
		}
	}
	contrast := encode.Contrast()
	for _, text := range []string{"lead>0", "!lead_first=1", "lead_second<3"} {
		_, err := contrast.ParseWhere(text, nil)
		if err == nil || !strings.Contains(err.Error(), "Contrast has no material: none of its pieces has a value") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestWordsOfOneGame: names and letters are those of the game.
func TestWordsOfOneGame(t *testing.T) {
	for _, c := range []struct {
		game, text, want string // want is the text as plans store it
	}{
		{"chess", "side=b,result=white", "result=white,side=black"},
		{"chess", "material=KRvK", "material=KRvK"},
		{"cotulenh", "reason=commander", "reason=commander_captured"},
		{"contrast", "result=black", "result=black"},
	} {
		g := must.Get(encode.Games().Find(c.game))(t)
		if w, err := g.ParseWhere(c.text, nil); err != nil || w.String() != c.want {
			t.Errorf("%s, %s: %v, %v, want %s", c.game, c.text, w, err, c.want)
		}
	}
}

// TestMaterialOfADecision: the condition holds where the pieces on the board are those.
func TestMaterialOfADecision(t *testing.T) {
	g := encode.Chess()
	all := "KQRRBBNNPPPPPPPP"
	rec := searchedRecord(&g, 1, 60)
	f := encode.Filter{Where: must.Get(g.ParseWhere("material="+all+"v"+all, nil))(t)}
	p, want := g.New(""), []int(nil)
	replayOn(t, &g, p, rec, func(ply int, _ engine.Move) {
		if pieces(p, engine.First) == 16 && pieces(p, engine.Second) == 16 { // nothing promotes in so few plies
			want = append(want, ply)
		}
	})
	if got, _ := filtered(t, &g, f, 1, rec); !slices.Equal(got, want) || len(want) == 0 || len(want) == len(rec.Actions) {
		t.Errorf("plies %v, want %v", got, want)
	}
}

// TestDropIsThatOfTheModel: games of which no drop is known match neither a condition nor its
// opposite.
func TestDropIsThatOfTheModel(t *testing.T) {
	g, drops := encode.Chess(), &encode.Deblunder{A: 50, B: 150}
	matched := 0
	for number := range uint64(20) {
		rec, turns := searchedRecord(&g, number, 80), []engine.Side(nil)
		p := g.New("")
		replayOn(t, &g, p, rec, func(int, engine.Move) { turns = append(turns, p.Turn()) })
		drop, _, known := drops.LargestDrop(rec, turns)
		for text, want := range map[string]bool{"drop>=9900": known && drop >= 9900, "drop<9900": known && drop < 9900} {
			f := encode.Filter{Where: must.Get(g.ParseWhere(text, drops))(t)}
			got, _ := filtered(t, &g, f, 1, rec)
			if (len(got) > 0) != want {
				t.Errorf("game %d, drop %d, %s: %d rows", number, drop, text, len(got))
			}
			if want && strings.Contains(text, ">") {
				matched++
			}
		}
		rec.Nodes, rec.Scores, rec.Best = nil, nil, nil
		rec.PolicySize, rec.PolicyAction, rec.PolicyWeight = nil, nil, nil
		f := encode.Filter{Where: must.Get(g.ParseWhere("drop>=0", drops))(t)}
		if got, _ := filtered(t, &g, f, 1, rec); len(got) > 0 {
			t.Errorf("game %d has a drop without scores", number)
		}
	}
	if matched == 0 || matched == 20 {
		t.Errorf("%d games of 20 match", matched)
	}
}

// TestConditionsArePartsOfAFilter: before the share and the number of rows. A row counts for the
// first one that it fails.
func TestConditionsArePartsOfAFilter(t *testing.T) {
	g := encode.Chess()
	rec := searchedRecord(&g, 2, 90)
	parts := []string{"where=!plies=1", "where=ply<50", "where=ply>=4", "where=phase=middle|opening", "keep=0.5", "max-rows-per-game=6"}
	f := must.Get(g.ParseFilter(parts))(t)
	if !slices.Equal(f.Texts(), parts) {
		t.Fatalf("parts %q, want %q", f.Texts(), parts)
	}
	plies, dropped := filtered(t, &g, f, 1, rec)
	if int(dropped[1]) != len(rec.Actions)-50 || dropped[2] != 4 || len(plies) != 6 {
		t.Errorf("%d plies, dropped %d", len(plies), dropped)
	}
	for _, text := range []string{"phase=opening|middle", "phase=open", "phase=end,ply<50", "", "drop>1", "ply>=08", "player=a\nb", "player=\xff", "player=\"a\tb\""} {
		if _, err := g.ParseFilter([]string{"where=" + text}); err == nil {
			t.Errorf("a plan may have the condition %q", text)
		}
	}
}
