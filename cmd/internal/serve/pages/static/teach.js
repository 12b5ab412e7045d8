// Lets a reader choose a piece and shows where it may go, what it does there, and why it may not go elsewhere.
// Scripts know no rules: the server answers each question about a cell.
import { ways } from './board.js';
import { make, read } from './elements.js';

// ask asks about a position: see /api/targets.
export const ask = (question) => read('/api/targets', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question),
});

// cellOf returns the cell that the kind of a move names beside its two: c3 of c3b.
const cellOf = (kind) => /^([a-z][0-9]+)[a-z]$/.exec(kind)?.[1];

const distinct = (list) => [...new Set(list)];
const capital = (text) => text[0].toUpperCase() + text.slice(1);

export class Teacher {
  // status is the element that words go to. question returns the position, as /api/targets takes it, or a promise of
  // it. marks returns the marks of the board while nothing is chosen. href returns the page on which a move is played;
  // live says that a chosen move is played at once. shown gets the moves that can be chosen. origin is false in games
  // whose moves leave no cell.
  constructor(board, { status, question, marks, href, live = false, shown = () => {}, origin = true }) {
    Object.assign(this, { board, status, question, marks, href, live, shown, origin });
    this.asked = 0;
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

  // clear chooses nothing. Answers that are on their way come too late.
  clear() {
    this.asked++;
    this.from = this.to = this.piece = undefined;
    this.pieces = [];
    this.board.mark(this.marks());
    this.board.target([]);
    this.shown([]);
    this.status.replaceChildren();
  }

  // ask returns the answer to a question, undefined if another one was asked since.
  async ask(question) {
    const number = ++this.asked;
    try {
      const answer = await ask({ ...await this.question(), ...question });
      return number === this.asked ? answer : undefined;
    } catch (error) {
      if (number === this.asked) this.status.replaceChildren(make('p', { class: 'problem' }, error.message));
      return undefined;
    }
  }

  // targets returns the moves of the chosen piece, or of all pieces on the chosen cell.
  targets() {
    return this.pieces.filter((p) => this.piece === undefined || p.piece === this.piece).flatMap((p) => p.targets);
  }

  // choose takes a cell. byKey says that it was chosen by keyboard, which stays on the board.
  async choose(name, byKey) {
    if (!name) return;
    this.byKey = byKey;
    const third = this.to ? this.targets().filter((t) => t.to === this.to && cellOf(t.kind) === name) : [];
    if (third.length) return this.settle(third, []);
    if (this.from && name !== this.from) return this.targets().some((t) => t.to === name) ? this.go(name) : this.refuse(name);
    const again = this.from === name;
    this.clear();
    if (again) return;
    const answer = await this.ask(this.origin ? { from: name } : {});
    if (answer) this.begin(name, answer, []);
  }

  // go chooses the cell to go to. obstacles are written first.
  go(name, obstacles = []) {
    const there = this.targets().filter((t) => t.to === name);
    this.to = name;
    this.settle(there.filter((t) => !cellOf(t.kind)), there.filter((t) => cellOf(t.kind)), obstacles);
  }

  // begin chooses the pieces on a cell. before are words that stay.
  begin(name, answer, before) {
    if (!this.origin) {
      const placed = answer.pieces[0].targets.filter((t) => t.to === name);
      if (placed.length) this.settle(placed, []);
      else this.say(`No move goes to ${name}.`);
      return;
    }
    if (answer.obstacle) {
      this.explain(before.length ? before : [answer.obstacle]);
      return;
    }
    [this.from, this.pieces] = [name, answer.pieces];
    this.to = this.piece = undefined;
    this.show(before);
  }

  // refuse says why the chosen piece may not go to a cell, or why the tile of its move may not lie there. If the reader
  // meant another piece, that one is chosen.
  async refuse(name) {
    const tiled = this.to && this.targets().some((t) => t.to === this.to && cellOf(t.kind));
    const piece = this.piece === undefined ? {} : { piece: this.piece };
    const why = await this.ask({ from: this.from, ...piece, ...tiled ? { to: this.to, tile: name } : { to: name } });
    if (!why) return;
    const obstacle = why.obstacle ?? { text: `No move goes from ${this.from} to ${name}.` };
    const other = await this.ask({ from: name });
    if (!other) return;
    if (other.pieces.some((p) => p.targets.length)) this.begin(name, other, [obstacle]);
    else if (tiled) this.go(this.to, [obstacle]);
    else this.show([obstacle]);
  }

  // explain writes obstacles and marks the cells that are responsible.
  explain(obstacles) {
    this.status.replaceChildren(...this.reasons(obstacles));
  }

  reasons(obstacles) {
    this.board.blame(obstacles.map((o) => o.at).filter(Boolean));
    return obstacles.map((o) => make('p', { class: 'reason' }, o.text));
  }

  // show marks the chosen cell and where its pieces may go, and writes what they do there.
  show(obstacles) {
    const targets = this.targets();
    this.mark([this.from], []);
    this.board.target(targets);
    this.shown(targets);
    const name = (this.pieces.find((p) => p.piece === this.piece) ?? this.pieces[0]).name;
    const title = make('p', {}, make('b', {}, `${capital(name || 'the piece')} on ${this.from}`),
      targets.length ? '' : ' has no legal move. Choose a cell to learn why not.');
    this.status.replaceChildren(...this.reasons(obstacles), title, ...this.choices(), ...this.legend(targets));
  }

  // choices are buttons for the pieces of a stack.
  choices() {
    if (this.pieces.length < 2) return [];
    const button = (piece, text) => {
      const element = make('button', { type: 'button', class: 'button', 'aria-pressed': this.piece === piece }, text);
      element.addEventListener('click', () => {
        this.piece = piece;
        this.to = undefined;
        this.show([]);
        [...this.status.querySelectorAll('.pieces button')].find((b) => b.textContent === text)?.focus();
      });
      return element;
    };
    const all = [button(undefined, 'Any piece'), ...this.pieces.map((p) => button(p.piece, p.piece ? capital(p.name) : 'Whole stack'))];
    return [make('p', { class: 'actions pieces', role: 'group', 'aria-label': 'Pieces of the stack' }, ...all)];
  }

  // legend lists the cells by what a move does there.
  legend(targets) {
    const lines = Object.keys(ways).filter((way) => targets.some((t) => t.way === way && t.to)).map((way) => {
      const cells = distinct(targets.filter((t) => t.way === way).map((t) => t.to));
      return make('li', {}, this.board.swatch(way), ` ${capital(ways[way])}: ${cells.join(', ')}`);
    });
    return lines.length ? [make('ul', { class: 'ways' }, ...lines)] : [];
  }

  // label says what one of several moves does.
  label(target, tiled) {
    if (tiled) return 'Without a tile';
    const { piece, name } = this.pieces.find((p) => p.targets.includes(target)) ?? {};
    const who = piece ? `${capital(name)} alone` : 'Whole stack';
    return this.pieces.length > 1 ? `${who}: ${target.text}, ${ways[target.way]}` : `${target.text}: ${ways[target.way]}`;
  }

  // settle plays the move if there is one left; else it lists those that a further cell does not decide.
  settle(listed, byCell, obstacles = []) {
    if (listed.length + byCell.length === 1) return this.play(listed[0] ?? byCell[0]);
    const cells = distinct(byCell.map((t) => cellOf(t.kind)));
    this.mark([this.from, this.to].filter(Boolean), cells);
    this.board.target([]);
    this.shown([...listed, ...byCell]);
    const links = listed.map((t) => make('a', { class: 'button', href: this.href(t) }, this.label(t, cells.length > 0)));
    this.status.replaceChildren(...this.reasons(obstacles), make('p', {}, cells.length ? 'Play it without a tile, or choose a cell for one:' : 'Several moves go there:'),
      make('p', { class: 'actions' }, ...links));
    this.status.scrollIntoView({ block: 'nearest' });
    if (this.byKey && !cells.length) links[0]?.focus();
  }

  // play goes to the page after a move, or links to it.
  play(target) {
    if (!this.live) {
      this.mark([this.from, this.to].filter(Boolean), []);
      this.board.target([target]);
      this.status.replaceChildren(make('p', {}, make('b', {}, target.text), `: ${ways[target.way]} on ${target.to}. `,
        make('a', { href: this.href(target) }, 'Play it in an analysis')));
      return;
    }
    if (this.byKey) sessionStorage.setItem('cell', this.to ?? this.from ?? target.to);
    location.assign(this.href(target));
  }

  mark(chosen, next) {
    const places = (names, now) => names.filter((name) => this.board.places.has(name)).map((name) => [this.board.places.get(name), now]);
    this.board.mark([...places(chosen, true), ...places(next, false)]);
  }

  say(text) {
    this.status.replaceChildren(make('p', {}, text));
  }
}
