// A board that a script redraws. Its SVG has the groups marks, pieces and arrows, and a grid of
// cells with one stop for Tab; the arrow keys move among the cells. The figures of codes are hidden
// elements with the ids "figure" and the code. A place is a cell of the drawing, by rows from the top
// left: on a flipped board that of the opposite cell.

const svg = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const size = 10;

// ways are the words for what a move does on a cell.
export const ways = {
  move: 'move', capture: 'capture', stay: 'capture and stay', suicide: 'capture and be lost', join: 'join', castle: 'castle', commit: 'end the turn',
};

// shapes are the marks of the ways around the middle of a cell. Shapes tell them apart, not colours alone.
const shapes = {
  move: 'M-1.3 0a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0z',
  capture: 'M-4.3 0a4.3 4.3 0 1 0 8.6 0a4.3 4.3 0 1 0 -8.6 0z',
  stay: 'M-4.4 -2.2v-2.2h2.2M2.2 -4.4h2.2v2.2M4.4 2.2v2.2h-2.2M-2.2 4.4h-2.2v-2.2',
  suicide: 'M-4.7 -4.7L-1.9 -1.9M4.7 -4.7L1.9 -1.9M4.7 4.7L1.9 1.9M-4.7 4.7L-1.9 1.9',
  join: 'M3.1 -4.7v3.6M1.3 -2.9h3.6',
  castle: 'M0 -4.4L4.4 0L0 4.4L-4.4 0z',
};

// hatches are the strokes of guarded cells, by side: they cross where both guard.
const hatches = ['M-5 5L5 -5M-5 0L0 -5M0 5L5 0', 'M-5 -5L5 5M-5 0L0 5M0 -5L5 0'];

export class Board {
  // element is the SVG; data has files, ranks and words, what each code stands for.
  constructor(element, data) {
    const find = (selector) => element.querySelector(selector);
    [this.marks, this.pieces, this.arrows] = [find('.marks'), find('.pieces'), find('.arrows')];
    [this.grounds, this.zones, this.targets] = ['grounds', 'zones', 'targets'].map((name) => svg('g', { class: name }));
    this.marks.before(this.grounds, this.zones);
    this.arrows.before(this.targets);
    [this.can, this.guarded] = [new Map(), new Map()]; // words by cell, for what is drawn
    this.cells = [...element.querySelectorAll('.cell')];
    this.places = new Map(this.cells.map((cell, i) => [cell.dataset.cell, i])); // by name
    this.flipped = Boolean(element.dataset.flip);
    Object.assign(this, { element, files: data.files, ranks: data.ranks, words: data.words });
    this.focused = 0;
    const side = element.closest('section');
    this.caption = side.querySelector('.cell-name');
    this.hands = [...side.querySelectorAll('[data-hand]')];
    this.cells.forEach((cell, i) => {
      cell.addEventListener('focus', () => this.rove(i));
      cell.addEventListener('pointerenter', () => this.name(cell));
    });
    element.addEventListener('keydown', (event) => this.move(event));
  }

  // draw shows codes of cells, and marks: a map from a cell to whether it belongs to the last step.
  draw(codes, marks = new Map(), hands = []) {
    this.pieces.replaceChildren(...codes.flatMap((code, cell) => code ? [this.figure(code, cell)] : []));
    this.mark([...marks].map(([cell, now]) => [this.place(cell), now]));
    for (const hand of this.hands) hand.textContent = hands[hand.dataset.hand] ?? hand.textContent;
    codes.forEach((code, i) => {
      const cell = this.cells[this.place(i)];
      cell.dataset.holds = code ? this.words[code] : cell.dataset.empty;
    });
    this.speak();
  }

  // speak gives each cell its name, what stands there, and what else is drawn there.
  speak() {
    for (const cell of this.cells) {
      const name = cell.dataset.cell;
      cell.dataset.holds ??= cell.getAttribute('aria-label').slice(name.length + 2);
      const words = [name, cell.dataset.holds, ...this.can.get(name) ?? [], ...this.guarded.get(name) ?? []].join(', ');
      cell.setAttribute('aria-label', words);
      cell.firstElementChild.textContent = words; // the tooltip
    }
  }

  // target marks the destinations of moves { to, way }.
  target(list) {
    if (!list.length && !this.targets.hasChildNodes()) return;
    this.can = new Map();
    for (const { to, way } of list) {
      if (!this.places.has(to)) continue;
      if (!this.can.has(to)) this.can.set(to, new Set());
      this.can.get(to).add(ways[way]);
    }
    const drawn = new Set(list.filter((t) => this.can.has(t.to) && shapes[t.way]).map((t) => `${t.way} ${t.to}`));
    this.targets.replaceChildren(...[...drawn].flatMap((key) => this.shape(...key.split(' '))));
    this.speak();
  }

  // shape returns the mark of a way on a cell: over a wider one, so that it shows on every ground.
  shape(way, name) {
    const { x, y } = this.center(name);
    return ['under', way].map((kind) => svg('path', { class: `way ${kind}`, d: shapes[way], transform: `translate(${x} ${y})` }));
  }

  // blame marks the cells that keep a piece from moving, beside the targets.
  blame(names) {
    this.targets.querySelectorAll('.blamed').forEach((e) => e.remove());
    this.targets.append(...names.filter((name) => this.places.has(name)).map((name) =>
      svg('rect', { class: 'blamed', width: size - 1, height: size - 1, ...this.corner(this.places.get(name)), transform: 'translate(0.5 0.5)' })));
  }

  // guard hatches the cells of zones { side, cells }.
  guard(zones, sides) {
    if (!zones.length && !this.zones.hasChildNodes()) return;
    this.guarded = new Map();
    const paths = sides.map((side, i) => {
      const cells = new Set(zones.filter((z) => z.side === side).flatMap((z) => z.cells));
      for (const name of cells) this.guarded.set(name, [...this.guarded.get(name) ?? [], `guarded by ${side}`]);
      return [...cells].map((name) => {
        const { x, y } = this.center(name);
        return svg('path', { class: `hatch hatch${i}`, d: hatches[i], transform: `translate(${x} ${y})` });
      });
    });
    this.zones.replaceChildren(...paths.flat());
    this.speak();
  }

  // terrain shows signs of the ground, each with its cells, and heavier lines. Without signs it hides them.
  terrain(signs) {
    this.element.classList.toggle('with-terrain', signs.length > 0);
    this.grounds.replaceChildren(...signs.flatMap(({ sign, cells }) => cells.map((name) => {
      const { x, y } = this.center(name);
      const text = svg('text', { class: 'sign', x: x - 3.1, y: y - 2.3, 'font-size': 4 });
      text.textContent = sign;
      return text;
    })));
  }

  // swatch, line and hatching return a sample for a legend.
  swatch(way) {
    return this.sample(svg('path', { class: 'way under', d: shapes[way] }), svg('path', { class: `way ${way}`, d: shapes[way] }));
  }

  line(n) {
    return this.sample(svg('path', { class: `line${n}`, d: 'M-5 0h10' }));
  }

  hatching(side) {
    return this.sample(svg('path', { class: `hatch hatch${side}`, d: hatches[side] }));
  }

  sample(...children) {
    const element = svg('svg', { class: 'board swatch', viewBox: '-5 -5 10 10', 'aria-hidden': 'true' });
    element.append(...children);
    return element;
  }

  // mark marks places: pairs of a place and whether it belongs to the last step.
  mark(list) {
    this.marks.replaceChildren(...list.map(([place, now]) =>
      svg('rect', { class: now ? 'mark' : 'mark earlier', width: size, height: size, ...this.corner(place) })));
  }

  // place returns the place of a cell.
  place(cell) {
    return this.flipped ? this.cells.length - 1 - cell : cell;
  }

  // point draws arrows { from, to, share, kind } between cells by name. An arrow without an origin
  // is a ring around its destination.
  point(list) {
    this.arrows.replaceChildren(...list.flatMap((arrow) => this.arrow(arrow)));
  }

  corner(place) {
    return { x: size * (place % this.files), y: size * Math.floor(place / this.files) };
  }

  center(name) {
    const { x, y } = this.corner(this.places.get(name));
    return { x: x + size / 2, y: y + size / 2 };
  }

  figure(code, cell) {
    const copy = document.getElementById('figure' + code).cloneNode(true);
    const { x, y } = this.corner(this.place(cell));
    copy.removeAttribute('id');
    copy.setAttribute('transform', `translate(${x + size / 2} ${y + size / 2})`);
    return copy;
  }

  arrow({ from, to, share, kind }) {
    if (!this.places.has(to)) return [];
    const shape = { class: `arrow ${kind}`, opacity: (0.3 + 0.6 * share).toFixed(2) };
    const end = this.center(to);
    if (!this.places.has(from) || from === to) return [svg('circle', { ...shape, cx: end.x, cy: end.y, r: 4.4, fill: 'none' })];
    const begin = this.center(from);
    const length = Math.hypot(end.x - begin.x, end.y - begin.y);
    const [dx, dy] = [(end.x - begin.x) / length, (end.y - begin.y) / length];
    const width = 0.7 + 1.1 * share;
    const head = 2 + 2 * share;
    const neck = { x: end.x - dx * (head + 1), y: end.y - dy * (head + 1) };
    const at = (p, along, across) => `${(p.x + dx * along - dy * across).toFixed(2)} ${(p.y + dy * along + dx * across).toFixed(2)}`;
    const points = [at(begin, 2, width / 2), at(neck, 0, width / 2), at(neck, 0, head * 0.6), at(end, -1, 0),
      at(neck, 0, -head * 0.6), at(neck, 0, -width / 2), at(begin, 2, -width / 2)];
    return [svg('path', { ...shape, d: `M${points.join('L')}Z` })];
  }

  // rove makes a cell the one that Tab reaches.
  rove(i) {
    this.cells[this.focused].setAttribute('tabindex', -1);
    this.cells[i].setAttribute('tabindex', 0);
    this.focused = i;
    this.name(this.cells[i]);
  }

  // name writes below the board what stands on a cell.
  name(cell) {
    if (this.caption) this.caption.textContent = cell.getAttribute('aria-label');
  }

  move(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !event.target.matches('.cell')) return;
    const [row, file] = [Math.floor(this.focused / this.files), this.focused % this.files];
    const to = {
      ArrowLeft: [row, file - 1], ArrowRight: [row, file + 1], ArrowUp: [row - 1, file], ArrowDown: [row + 1, file],
      Home: [row, 0], End: [row, this.files - 1],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    const [toRow, toFile] = to;
    if (toRow < 0 || toRow >= this.ranks || toFile < 0 || toFile >= this.files) return;
    this.cells[toRow * this.files + toFile].focus();
  }
}
