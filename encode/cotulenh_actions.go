package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Actions of CoTuLenh: ((from*84 + ray)*5 + mover), then commit. A ray is one of the 84
// displacements along the eight directions; mover is cotulenh.Step.Mover: the whole stack,
// the whole stack that captures and stays, or the member that deploys.
const (
	cotulenhRays        = 84
	cotulenhMovers      = 5
	cotulenhCommit      = cotulenhCells * cotulenhRays * cotulenhMovers
	cotulenhActionCount = cotulenhCommit + 1
)

func cotulenhActions() Actions {
	return Actions{
		Version:   1,
		Count:     cotulenhActionCount,
		Factors:   Factors{Rays: cotulenhRays, Whats: cotulenhMovers},
		HasOrigin: true,
		Number:    cotulenhNumber,
		Move:      cotulenhMove,
		Describe:  describeCoTuLenh,
		Flip:      flipCoTuLenhAction,
		IsCapture: isCoTuLenhCapture,
	}
}

// cotulenhRayList holds the vector of every ray. Ray 11*d + (n-1) goes n cells N, E, S or
// W; ray 44 + 10*d + (n-1) goes n cells NW, NE, SE or SW.
var cotulenhRayList = func() (list [cotulenhRays]vector) {
	straight := [4]vector{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}
	diagonal := [4]vector{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}
	for d, direction := range straight {
		for n := 1; n <= 11; n++ {
			list[11*d+n-1] = direction.times(n)
		}
	}
	for d, direction := range diagonal {
		for n := 1; n <= 10; n++ {
			list[44+10*d+n-1] = direction.times(n)
		}
	}
	return list
}()

// cotulenhRayOf is the ray between two squares, indexed by their difference. Rays that fit
// the board never share a difference.
var cotulenhRayOf = func() (table [512]uint8) {
	for ray, v := range cotulenhRayList {
		table[(256+16*v.row+v.file)&511] = uint8(ray)
	}
	return table
}()

// cotulenhTo is the destination of every ray from every cell; off the board it is an
// invalid square.
var cotulenhTo = func() (table [cotulenhCells * cotulenhRays]cotulenh.Square) {
	for i := range table {
		table[i] = 0xFF
		if to, ok := cotulenhGrid.step(i/cotulenhRays, cotulenhRayList[i%cotulenhRays]); ok {
			table[i] = cotulenh.SquareOfCell(to)
		}
	}
	return table
}()

// cotulenhNumber does not need the position: the move has all the facts.
func cotulenhNumber(m engine.Move) uint16 {
	s := cotulenh.Unpack(m)
	if s.Commit {
		return cotulenhCommit
	}
	ray := int(cotulenhRayOf[(256+int(s.To)-int(s.From))&511])
	return uint16((s.From.Cell()*cotulenhRays+ray)*cotulenhMovers + int(s.Mover))
}

func cotulenhMove(pos engine.Position, action uint16) (engine.Move, error) {
	p := pos.(cotulenhPosition)
	if action >= cotulenhCommit {
		if action > cotulenhCommit {
			return 0, fmt.Errorf("action %d: want 0 to %d", action, cotulenhCommit)
		}
		return p.Pack(cotulenh.Step{Commit: true})
	}
	ray := action / cotulenhMovers
	to := cotulenhTo[ray]
	if !to.Valid() {
		return 0, fmt.Errorf("action %d: destination is off the board", action)
	}
	from := cotulenh.SquareOfCell(int(ray / cotulenhRays))
	m, err := p.Pack(cotulenh.Step{From: from, To: to, Mover: uint8(action % cotulenhMovers)})
	if err != nil {
		return 0, fmt.Errorf("action %d: %w", action, err)
	}
	return m, nil
}

// isCoTuLenhCapture reports whether an enemy stack stands on the destination. The mover
// joins an own stack there.
func isCoTuLenhCapture(pos engine.Position, m engine.Move) bool {
	p, s := pos.(cotulenhPosition), cotulenh.Unpack(m)
	if s.Commit {
		return false
	}
	target := p.At(s.To)
	return target != cotulenh.Empty && target.Side() != p.Turn()
}

// cotulenhKinds are the kinds of actions, by mover.
var cotulenhKinds = [cotulenhMovers]string{"whole", "stay", "deploy_0", "deploy_1", "deploy_2"}

func describeCoTuLenh(action uint16) Action {
	if action == cotulenhCommit {
		return Action{Kind: "commit"}
	}
	ray := action / cotulenhMovers
	to := cotulenhTo[ray]
	if !to.Valid() {
		return Action{Kind: NoAction}
	}
	return Action{cotulenhGrid.Name(int(ray / cotulenhRays)), to.String(), cotulenhKinds[action%cotulenhMovers]}
}
