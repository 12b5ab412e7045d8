package positions

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// A large batch is divided into parts, of which several goroutines do one each.
const (
	partSize  = 64 // positions of a part, at least
	partsEach = 4  // parts of each goroutine, at most: games differ in length
)

// part is some consecutive positions of a batch, with the memory to step them.
type part struct {
	batch   *batch
	first   int // of its positions
	seats   []seat
	chosen  []engine.Move // of a step
	moves   []engine.Move // of one position
	actions []uint16      // the legal ones of its positions, as the other side numbers them
	ends    []uint32      // of the actions of each position
	sorter  sorter
	planes  []byte // of its positions
	refused *refusal
}

// divide divides the positions of a batch among some goroutines.
func (b *batch) divide(goroutines int) {
	n := len(b.seats)
	count := max(1, min(n/partSize, partsEach*goroutines))
	if goroutines <= 1 {
		count = 1
	}
	chosen := make([]engine.Move, n)
	for i := range count {
		from, to := i*n/count, (i+1)*n/count
		b.parts = append(b.parts, part{
			batch: b, first: from, seats: b.seats[from:to], chosen: chosen[from:to], sorter: newSorter(b.game.Actions.Count),
		})
	}
}

// legal returns the legal actions of a position of the part.
func (p *part) legal(i int) []uint16 {
	begin := uint32(0)
	if i > 0 {
		begin = p.ends[i-1]
	}
	return p.actions[begin:p.ends[i]]
}

// choose finds the moves of the actions of a step without playing them.
func (p *part) choose() {
	step := p.batch.asked[2*p.first:]
	p.refused = nil
	for i := range p.seats {
		if p.refused = p.chooseOne(i, binary.LittleEndian.Uint16(step[2*i:])); p.refused != nil {
			return
		}
	}
}

// chooseOne finds the move of an action.
func (p *part) chooseOne(i int, action uint16) *refusal {
	s, b := &p.seats[i], p.batch
	if b.over(s) {
		return nil
	}
	if _, legal := slices.BinarySearch(p.legal(i), action); !legal {
		return refuse(p.first+i, "position %d: action %d is not legal in %s", p.first+i, action, s.pos)
	}
	if b.flips(s.pos) {
		action = b.game.Actions.Flip(action)
	}
	m, err := b.game.Actions.Move(s.pos, action)
	if err != nil {
		return refuse(p.first+i, "position %d: %v", p.first+i, err)
	}
	p.chosen[i] = m
	return nil
}

// play plays the chosen moves and looks at the positions.
func (p *part) play() {
	for i := range p.seats {
		p.batch.play(&p.seats[i], p.chosen[i])
	}
	p.look()
}

// look lists the legal actions of the positions and encodes their planes.
func (p *part) look() {
	b := p.batch
	p.actions, p.ends, p.planes = p.actions[:0], p.ends[:0], p.planes[:0]
	for i := range p.seats {
		s := &p.seats[i]
		if !b.over(s) {
			p.list(s.pos)
		}
		p.ends = append(p.ends, uint32(len(p.actions)))
		if b.flags&flagPlanes != 0 {
			p.planes = b.layout.Encode(p.planes, s.pos)
		}
	}
}

// list appends the legal actions of a position.
func (p *part) list(pos engine.Position) {
	p.moves = pos.Moves(p.moves[:0])
	a, flips := &p.batch.game.Actions, p.batch.flips(pos)
	for _, m := range p.moves {
		action := a.Number(m)
		if flips {
			action = a.Flip(action)
		}
		p.sorter.add(action)
	}
	p.actions = p.sorter.appendTo(p.actions)
}

// sorter sorts different action numbers. It marks them in a set of bits and reads the set in order, which costs less than
// comparisons: a position has 30 to 130 actions.
type sorter struct {
	words   []uint64 // a bit for each action
	summary []uint64 // a bit for each word that is not 0
}

// newSorter returns a sorter of numbers below count.
func newSorter(count int) sorter {
	words := (count + 63) / 64
	return sorter{make([]uint64, words), make([]uint64, (words+63)/64)}
}

// add marks a number.
func (s *sorter) add(action uint16) {
	word := action >> 6
	s.words[word] |= 1 << (action & 63)
	s.summary[word>>6] |= 1 << (word & 63)
}

// appendTo appends the marked numbers in ascending order and forgets them.
func (s *sorter) appendTo(dst []uint16) []uint16 {
	for i, summary := range s.summary {
		s.summary[i] = 0
		for ; summary != 0; summary &= summary - 1 {
			word := i<<6 + bits.TrailingZeros64(summary)
			marked := s.words[word]
			s.words[word] = 0
			for ; marked != 0; marked &= marked - 1 {
				dst = append(dst, uint16(word<<6+bits.TrailingZeros64(marked)))
			}
		}
	}
	return dst
}

// crew does parts of a step on several goroutines, which wait for work as long as the session lasts.
type crew struct {
	size  int
	jobs  chan job
	group goroutine.Group
	done  chan struct{} // one for each part that is done

	mu  sync.Mutex
	err error // a panic of the last run
}

// job is one part.
type job struct {
	do   func(part int)
	part int
}

// newCrew returns a crew of size goroutines, the caller of run among them.
func newCrew(size int) *crew {
	c := &crew{size: max(size, 1), group: goroutine.New()}
	c.jobs, c.done = make(chan job, partsEach*c.size), make(chan struct{}, partsEach*c.size)
	for range c.size - 1 {
		c.group.Go(func() error {
			for j := range c.jobs {
				c.one(j)
			}
			return nil
		})
	}
	return c
}

// close ends the goroutines.
func (c *crew) close() {
	close(c.jobs)
	_ = c.group.Wait() // errors are those of run
}

// run does the parts 0 to n-1, at most partsEach for each goroutine. The error is a panic.
func (c *crew) run(do func(part int), n int) error {
	if n == 1 {
		do(0)
		return nil
	}
	for part := range n {
		c.jobs <- job{do, part}
	}
	for more := true; more; {
		select {
		case j := <-c.jobs:
			c.one(j)
		default:
			more = false
		}
	}
	for range n {
		<-c.done
	}
	return c.err
}

// one does one part.
func (c *crew) one(j job) {
	defer func() { c.done <- struct{}{} }()
	var err error
	defer func() {
		if err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.err = err
		}
	}()
	defer goroutine.Recover(&err)
	j.do(j.part)
}
