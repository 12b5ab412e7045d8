// Steps through a game: the board, the list of moves, the curve, and what is known of each ply. The
// ply is part of the URL.
import { Board } from './board.js';
import { make, number, percent, policyTable, read } from './elements.js';
import { Overlays } from './overlays.js';
import { Teacher } from './teach.js';

const data = JSON.parse(document.getElementById('game-data').textContent);
const page = document.getElementById('game');
const find = (selector) => page.querySelector(selector);
const board = new Board(find('.hands > svg.board'), data);
const steps = data.steps ?? [];
const last = steps.length;
const slider = document.getElementById('ply');
const [title, note] = [find('#step b'), find('#step small')];
const moves = [...find('#moves').children];
const curve = find('.curve');
let ply = Math.min(Number(page.dataset.ply), last);

// The codes of the cells after each number of plies, as far as they are known.
const known = [data.cells];
const cellsAt = (n) => {
  while (known.length <= n) {
    const next = known.at(-1).slice();
    const changed = steps[known.length - 1].cells ?? [];
    for (let i = 0; i < changed.length; i += 2) next[changed[i]] = changed[i + 1];
    known.push(next);
  }
  return known[n];
};

// marksAt returns the cells that the turn before a ply changed: true for those of its last step.
const marksAt = (n) => {
  const marks = new Map();
  for (let i = n - 1; i >= 0; i--) {
    const changed = steps[i].cells ?? [];
    for (let k = 0; k < changed.length; k += 2) if (!marks.has(changed[k])) marks.set(changed[k], i === n - 1);
    if (!steps[i].more) break;
  }
  return marks;
};

const write = () => {
  const step = steps[ply - 1];
  title.textContent = step ? `Ply ${number(ply)} of ${number(last)}, after ${step.text}` : data.begin;
  note.textContent = step ? step.note + (ply === last ? `. ${data.end}.` : '') : '';
  slider.value = ply;
  slider.setAttribute('aria-valuetext', title.textContent);
  for (const [name, off] of [['first', ply === 0], ['back', ply === 0], ['on', ply === last], ['last', ply === last]]) {
    find(`[data-go=${name}]`).setAttribute('aria-disabled', off);
  }
  curve?.querySelector('.now').setAttribute('d', `M${ply} 0v40`);
};

const markMove = () => {
  const list = find('#moves');
  list.querySelector('.now')?.classList.remove('now');
  list.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const move = moves[ply - 1];
  move?.classList.add('now');
  move?.firstElementChild.setAttribute('aria-current', 'step');
  const top = move ? move.offsetTop : 0; // scrolls the list only, never the page
  if (top < list.scrollTop || top + 24 > list.scrollTop + list.clientHeight) list.scrollTop = top - 60;
};

const fact = (name, ...value) => [make('dt', {}, name), make('dd', {}, ...value)];

// describe shows what is known of the position, and of the decision in it.
const describe = (p) => {
  const d = p.decision;
  const facts = [fact('position', make('code', {}, p.position)), fact('to move', p.side + (p.check ? ', in check' : '') + `, ${number(p.legal_moves)} legal moves`)];
  if (d) {
    facts.push(fact('move', make('b', {}, d.move.text), d.random ? make('span', { class: 'tag random' }, d.opening ? 'random opening' : 'random') : '',
      d.turn_size > 1 ? make('span', { class: 'tag' }, `step ${d.turn_step} of ${d.turn_size}`) : ''));
    facts.push(fact('chosen', d.note));
    if (d.searched) {
      if (d.best.action !== d.move.action) facts.push(fact('best', make('b', {}, d.best.text)));
      const score = d.score ?? 0;
      facts.push(fact('score', `${score > 0 ? '+' : ''}${score}`, d.win_chance ? `, win chance ${percent(d.win_chance)}` : ''));
      facts.push(fact('nodes', number(d.nodes)));
    }
    if (d.old) facts.push(fact('earlier search', `${d.old.best.text}, ${d.old.score}, ${number(d.old.nodes)} nodes`));
  } else {
    facts.push(fact('end', data.end));
  }
  const session = board.hands.length ? [] : p.elements.filter((e) => e.values.some((v) => v !== 0)); // hands are beside the board
  if (session.length) facts.push(fact('array', ...session.map((e) => make('span', { class: 'tag', title: e.doc }, elementText(e)))));
  const parts = [make('dl', { class: 'ply' }, ...facts.flat())];
  if (d?.policy) parts.push(...policyTable(d.policy));
  document.getElementById('decision').replaceChildren(...parts);
  board.point(arrowsOf(d));
};

// elementText writes an element of the array. Those that hold a cell + 1 name the cell.
const elementText = (e) => {
  const values = e.doc.startsWith('cell + 1') ? e.values.filter((v) => v > 0).map((v) => board.cells[board.place(v - 1)].dataset.cell) : e.values;
  return `${e.name.replaceAll('_', ' ')} ${values.join(', ')}`;
};

const arrowsOf = (d) => {
  if (!d) return [];
  const best = d.best && d.best.action !== d.move.action ? [{ ...d.best, share: 0.6, kind: 'best' }] : [];
  const most = Math.max(0.001, ...(d.policy ?? []).map((c) => c.share));
  const policy = (d.policy ?? []).slice(0, 5).filter((c) => c.action !== d.move.action && c.action !== d.best?.action)
    .map((c) => ({ ...c, share: c.share / most, kind: 'policy' }));
  return [...policy, ...best, { ...d.move, share: 0.6, kind: d.random ? 'drawn' : 'played' }];
};

// planes draws the planes of a row.
const planesOf = (planes) => planes.list.map((plane) => {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${planes.files} ${planes.ranks}`);
  svg.setAttribute('class', 'plane');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `${plane.name}: ${plane.cells.length} of ${planes.files * planes.ranks} cells`);
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', plane.cells.map((cell) => `M${cell % planes.files} ${Math.floor(cell / planes.files)}h1v1h-1z`).join(''));
  svg.append(path);
  return make('figure', { title: plane.doc }, svg, make('figcaption', {}, plane.name));
});

const describeRow = (row) => {
  const docs = new Map(row.docs.map((c) => [c.name, c.doc]));
  const parts = [];
  if (row.columns) {
    const lines = Object.entries(row.columns).map(([name, value]) => make('tr', {}, make('th', { scope: 'row', title: docs.get(name) ?? '' }, name),
      make('td', {}, make('code', {}, JSON.stringify(value)))));
    parts.push(make('table', { class: 'row' }, make('tbody', {}, ...lines)));
  } else {
    parts.push(make('p', { class: 'quiet' }, ply === last ? 'The last position has no row: there is no decision.' : 'No row: the filter of the dataset drops this decision.'));
  }
  if (row.unique) parts.push(make('p', { class: 'quiet small' }, 'The dataset also drops rows whose position an earlier row has.'));
  if (row.planes.list.length) parts.push(make('h3', {}, 'Planes, as the side to move sees them'), make('div', { class: 'planes' }, ...planesOf(row.planes)));
  document.getElementById('row-body').replaceChildren(...parts);
};

const problem = (error) => [make('p', { class: 'problem' }, error.message)];

// nameOf returns where the position after a number of plies is.
const nameOf = (at) => `/api/games/${encodeURIComponent(data.name)}@${at}`;

// load asks for the details of the ply, once the reader stays at it.
let timer;
const load = () => {
  clearTimeout(timer);
  board.point([]);
  const at = ply;
  const url = nameOf(at);
  timer = setTimeout(async () => {
    try {
      const answer = await read(url);
      if (at === ply) describe(answer);
    } catch (error) {
      document.getElementById('decision').replaceChildren(...problem(error));
    }
    if (!document.getElementById('row').open || at !== ply) return;
    try {
      const row = await read(`${url}/row`);
      if (at === ply) describeRow(row);
    } catch (error) {
      document.getElementById('row-body').replaceChildren(...problem(error));
    }
  }, 60);
};

// address returns that of the ply, with the board flipped or not.
const address = (flip) => `?ply=${ply}${flip ? '&flip=1' : ''}`;

// question names the position of the ply.
const question = async () => ({ game: data.game, variant: data.variant, position: (await read(nameOf(ply))).position });

// analysis returns the page that searches the position of the ply, after a move if there is one.
const analysis = (move) => `/analysis?from=${encodeURIComponent(`${data.name}@${ply}`)}${move ? `&play=${encodeURIComponent(move.move)}` : ''}`;

const teacher = new Teacher(board, {
  status: document.getElementById('choice'), question, marks: () => [...marksAt(ply)].map(([cell, now]) => [board.place(cell), now]), href: analysis, origin: data.origin,
});
const overlays = new Overlays(board, find('.boardside'), data, question);

const show = (to, replace = true) => {
  ply = Math.min(Math.max(to, 0), last);
  teacher.clear();
  board.draw(cellsAt(ply), marksAt(ply), ply ? steps[ply - 1].hands : data.hands);
  overlays.refresh();
  write();
  markMove();
  load();
  document.getElementById('analyse').href = analysis();
  page.dataset.ply = ply;
  if (replace) history.replaceState(null, '', address(board.flipped));
  document.getElementById('flip').href = address(!board.flipped);
};

const targets = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => last };
const keys = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', PageUp: 'back', PageDown: 'on' };

document.addEventListener('click', (event) => {
  const go = event.target.closest('[data-go]')?.dataset.go;
  const link = event.target.closest('a[data-ply]');
  if (go) show(targets[go]());
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    show(Number(link.dataset.ply));
  }
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.matches('input:not([type=range]), select, textarea, pre, .scroll')) return;
  const onBoard = event.target.matches('.cell');
  if (!keys[event.key] || (event.key.startsWith('Page') && !onBoard)) return;
  event.preventDefault();
  show(targets[keys[event.key]]());
});
slider.addEventListener('input', () => show(Number(slider.value)));
curve?.addEventListener('click', (event) => {
  const box = curve.getBoundingClientRect();
  show(Math.round((event.clientX - box.left) / box.width * last));
});
document.getElementById('row').addEventListener('toggle', load);
addEventListener('popstate', () => show(Number(new URLSearchParams(location.search).get('ply') ?? 0), false));

show(ply, false);
