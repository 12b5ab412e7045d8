package uci

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/engine/chess"
)

// command is what a GUI may ask for.
type command struct {
	// waits: for the search in progress, whose result belongs to the GUI. A search without a limit of its own, as of
	// "go infinite", ends then.
	waits bool
	obey  func(s *session, args []string)
}

var commands map[string]command

func init() {
	commands = map[string]command{
		"uci":        {false, func(s *session, _ []string) { s.introduce() }},
		"isready":    {false, func(s *session, _ []string) { s.printf("readyok") }},
		"debug":      {false, func(*session, []string) {}},
		"register":   {false, func(*session, []string) {}},
		"setoption":  {true, (*session).setOption},
		"ucinewgame": {true, func(s *session, _ []string) { s.games++; s.reseed(); s.beginGame() }},
		"position":   {true, (*session).setPosition},
		"go":         {true, (*session).search},
		"stop":       {false, func(s *session, _ []string) { s.abort() }},
		"ponderhit":  {false, func(s *session, _ []string) { s.ponderhit() }},
		"quit":       {false, func(s *session, _ []string) { s.quit = true }},
	}
}

// ordered are the commands that need no search to end, but mean one that may wait itself.
var ordered = []string{"stop", "ponderhit", "quit"}

// call is a command with its arguments.
type call struct {
	command
	name string
	args []string
}

// command takes a line. It skips unknown words in front of a command, as the protocol wants.
func (s *session) command(line string) {
	words := strings.Fields(line)
	i := slices.IndexFunc(words, func(word string) bool { return commands[word].obey != nil })
	if i < 0 {
		if len(words) > 0 {
			s.inform("unknown command %q", words[0])
		}
		return
	}
	c := call{commands[words[i]], words[i], words[i+1:]}
	switch {
	case !c.waits && (len(s.waiting) == 0 || !slices.Contains(ordered, c.name)):
		c.obey(s, c.args)
		return
	case c.name == "stop": // the search in progress, and the one that it waits for
		s.abort()
	}
	s.waiting = append(s.waiting, c)
}

// obeyWaiting obeys the commands that wait, up to the end of a search for which the next one waits.
func (s *session) obeyWaiting() {
	for !s.quit {
		next := len(s.waiting) > 0
		if s.hold && s.isSearching() && (s.ended || next && s.waiting[0].waits) {
			s.abort()
		}
		if !next || s.waiting[0].waits && s.isSearching() {
			return
		}
		c := s.waiting[0]
		s.waiting = s.waiting[1:]
		c.obey(s, c.args)
	}
}

// isSearching reports whether a search is in progress, or its result waits.
func (s *session) isSearching() bool { return s.done != nil || s.deferred != nil }

// maxSeed is the largest seed that GUIs can set: their numbers have 32 bits.
const maxSeed = math.MaxInt32

func (s *session) introduce() {
	s.printf("id name %s", s.Name)
	s.printf("id author the authors of selfplay")
	s.printf("option name Player type string default %s", s.Player)
	s.printf("option name Seed type spin default %d min 0 max %d", s.Seed, maxSeed)
	s.printf("option name %s type check default false", chess960Option)
	s.printf("uciok")
}

// setOption obeys "name NAME value VALUE".
func (s *session) setOption(args []string) {
	name, value, _ := strings.Cut(strings.Join(args, " "), " value ")
	name = strings.TrimPrefix(name, "name ")
	switch strings.ToLower(name) {
	case "player":
		spec, err := s.parsePlayer(value)
		if err != nil {
			s.inform("%v", err)
			return
		}
		s.Player = spec.String()
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 31)
		if err != nil {
			s.inform("seed %q: want 0 to %d", value, maxSeed)
			return
		}
		s.Seed = seed
	case strings.ToLower(chess960Option):
		s.variant = ""
		if value == "true" {
			s.variant = chess.Chess960
		}
		s.pos, s.valid = s.Game.New(s.variant), true
		return
	default:
		s.inform("unknown option %q: the options are Player, Seed and %s", name, chess960Option)
		return
	}
	s.reseed()
}

// setPosition obeys "startpos|fen FEN [moves MOVE...]". After an error the position is
// invalid until the next command position.
func (s *session) setPosition(args []string) {
	start, moves, _ := strings.Cut(strings.Join(args, " "), "moves")
	s.valid = false
	kind, fen, _ := strings.Cut(strings.TrimSpace(start), " ")
	switch kind {
	case "startpos":
		s.pos.Reset()
	case "fen":
		fields := strings.Fields(fen)
		if n := len(fields); n == 4 || n == 5 { // many programs leave the clocks out
			fields = append(fields, []string{"0", "1"}[n-4:]...)
		}
		if err := s.pos.Set(strings.Join(fields, " ")); err != nil {
			s.inform("position %q: %v", fen, err)
			return
		}
	default:
		s.inform("position %q: want startpos or fen", kind)
		return
	}
	for _, text := range strings.Fields(moves) {
		m, err := s.pos.ParseMove(text)
		if err != nil {
			s.inform("move %q: %v", text, err)
			return
		}
		s.pos.Do(m)
	}
	s.valid = true
}
