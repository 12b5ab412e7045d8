// Plays a move by its cells: the reader chooses a piece, then where it goes. Where several moves have
// both cells, the others are listed, or a third cell decides, such as that of a tile.
import { make } from './elements.js';

// cellOf returns the cell that the kind of a move names: c3 of c3b.
const cellOf = (kind) => /^([a-z][0-9]+)[a-z]$/.exec(kind)?.[1];

export class Chooser {
  // list has the legal moves as links in elements with data-from, data-to and data-kind; status is where
  // the choice is described; marks are those of the board while nothing is chosen.
  constructor(board, list, status, marks) {
    Object.assign(this, { board, list, status, marks });
    this.moves = [...list.children].map((item) => ({ item, link: item.firstElementChild, ...item.dataset }));
    this.clear();
    board.element.addEventListener('click', (event) => this.choose(event.target.closest('.cell')?.dataset.cell, false));
    board.element.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    const name = event.target.dataset.cell;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') this.clear();
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    this.choose(name, true);
  }

  clear() {
    this.from = this.to = undefined;
    this.show([], []);
    this.status.replaceChildren();
  }

  // choose takes a cell. byKey says that it was chosen by keyboard, which stays on the board.
  choose(name, byKey) {
    if (!name) return;
    this.byKey = byKey;
    const third = this.to ? this.find((m) => m.from === this.from && m.to === this.to && cellOf(m.kind) === name) : [];
    if (third.length) return this.settle(third, []);
    const second = this.from && name !== this.from ? this.find((m) => m.from === this.from && m.to === name) : [];
    if (second.length) {
      this.to = name;
      return this.settle(second.filter((m) => !cellOf(m.kind)), second.filter((m) => cellOf(m.kind)));
    }
    const again = this.from === name;
    this.clear();
    if (!again) this.begin(name);
  }

  // begin chooses a piece, or the destination of moves that have no origin.
  begin(name) {
    const placed = this.find((m) => !m.from && m.to === name);
    if (placed.length) return this.settle(placed, []);
    const found = this.find((m) => m.from === name);
    if (found.length === 0) {
      const reaching = this.find((m) => m.to === name);
      this.show([], [], reaching);
      this.say(reaching.length ? `${reaching.length} moves go to ${name}: choose a piece, or one of the list.` : `No move from or to ${name}.`);
      return;
    }
    this.from = name;
    const targets = [...new Set(found.map((m) => m.to))];
    this.show([name], targets, found);
    this.say(`${name} can go to ${targets.join(', ')}.`);
  }

  // settle plays the move if there is one left; else it lists those that a further cell does not decide.
  settle(listed, byCell) {
    if (listed.length + byCell.length === 1) return this.play((listed[0] ?? byCell[0]).link);
    const cells = [...new Set(byCell.map((m) => cellOf(m.kind)))];
    this.show([this.from, this.to], cells, [...listed, ...byCell]);
    const links = listed.map((m) => make('a', { class: 'button', href: m.link.href }, m.link.textContent));
    this.status.replaceChildren(make('p', {}, cells.length ? 'Play it without a tile, or choose a cell for one:' : 'Several moves go there:'),
      make('p', { class: 'actions' }, ...links));
    this.status.scrollIntoView({ block: 'nearest' });
    if (this.byKey && !cells.length) links[0]?.focus();
  }

  play(link) {
    if (this.byKey) sessionStorage.setItem('cell', this.to ?? this.from);
    location.assign(link.href);
  }

  find(holds) {
    return this.moves.filter(holds);
  }

  say(text) {
    this.status.replaceChildren(make('p', {}, text));
  }

  // show marks the chosen cells and those that can be chosen next, and the moves in the list.
  show(chosen, next, moves = []) {
    const places = (names, now) => names.filter((name) => this.board.places.has(name)).map((name) => [this.board.places.get(name), now]);
    if (chosen.length) this.board.mark([...places(chosen, true), ...places(next, false)]);
    else this.board.mark(this.marks);
    for (const m of this.moves) m.item.classList.toggle('touches', moves.includes(m));
    if (moves.length) this.list.scrollTop = moves[0].item.offsetTop - 40; // scrolls the list only, never the page
  }
}
