// Asks a player about the position of the page and draws its answer; plays moves by clicks on cells,
// and against the player.
import { Board } from './board.js';
import { make, number, policyTable, read } from './elements.js';
import { Overlays } from './overlays.js';
import { Teacher } from './teach.js';

const data = JSON.parse(document.getElementById('analysis-data').textContent);
const board = new Board(document.querySelector('#analysis .hands > svg.board'), data);
const form = document.getElementById('ask');
const answer = document.getElementById('answer');
const legal = document.getElementById('legal');

// linkOf returns the link that plays a move, undefined if it is not of this position.
const linkOf = (move) => legal.querySelector(`[data-action="${move.action}"] a`);

// touch marks moves in the list.
const touch = (moves) => {
  const actions = new Set(moves.map((m) => String(m.action)));
  const items = [...legal.children];
  for (const item of items) item.classList.toggle('touches', actions.has(item.dataset.action));
  const first = items.find((item) => item.classList.contains('touches'));
  if (first) legal.scrollTop = first.offsetTop - 40; // scrolls the list only, never the page
};

const question = () => ({ game: data.game, variant: data.variant, position: data.start, play: data.played ?? [] });
const changed = (data.changed ?? []).map((cell) => [board.place(cell), true]);
new Teacher(board, {
  status: document.getElementById('choice'), question, marks: () => changed, href: (move) => linkOf(move).href, live: true, shown: touch, origin: data.origin,
});
new Overlays(board, document.querySelector('.boardside'), data, question);
document.querySelector('.scripted').hidden = false;

const fact = (name, ...value) => [make('dt', {}, name), make('dd', {}, ...value)];

// linked returns the text of a move as a link that plays it.
const linked = (move) => {
  const link = linkOf(move);
  return link ? make('a', { href: link.href }, move.text) : move.text;
};

const seconds = (s) => s < 0.1 ? `${(1000 * s).toFixed(1)} ms` : `${s.toFixed(2)} s`;

// factsOf lists what a search found.
const factsOf = (a) => {
  const facts = [];
  if (a.best.action !== a.move.action) facts.push(fact('best', make('b', {}, linked(a.best))));
  facts.push(fact('score', a.score_text));
  if (a.line) facts.push(fact('line', linked(a.line[0]), ...a.line.slice(1).map((m) => ` ${m.text}`)));
  if (a.depth) facts.push(fact('depth', number(a.depth)));
  facts.push(fact('nodes', `${number(a.nodes)} in ${seconds(a.seconds)}`));
  if (a.model) facts.push(fact('model', `win chances fitted to games of ${a.model}`));
  return facts;
};

const describe = (a) => {
  if (!a.move) {
    answer.replaceChildren(make('p', {}, `The game is over: ${a.result || 'no result'}, ${a.reason}.`));
    return;
  }
  const facts = [fact('plays', make('b', {}, linked(a.move))), ...(a.searched ? factsOf(a) : []), fact('player', make('code', {}, a.player.replace(/(sha256:[0-9a-f]{12})[0-9a-f]{52}/g, '$1')))];
  const parts = [make('dl', { class: 'ply' }, ...facts.flat())];
  if (a.limited) parts.push(make('p', { class: 'note' }, 'The limits of the server may have ended this search: the player would search longer.'));
  if (a.policy) parts.push(...policyTable(a.policy, linked));
  answer.replaceChildren(...parts);
  const most = Math.max(0.001, ...(a.policy ?? []).map((c) => c.share));
  const others = (a.policy ?? []).slice(0, 6).filter((c) => c.action !== a.move.action).map((c) => ({ ...c, share: c.share / most, kind: 'policy' }));
  board.point([...others, { ...a.move, share: 0.7, kind: 'played' }]);
};

// remember puts the player into the address of this page and of those after a move.
const remember = (player) => {
  const to = new URL(location);
  to.searchParams.set('player', player);
  history.replaceState(null, '', to);
  document.querySelectorAll('#legal a, .boardside a').forEach((link) => {
    const next = new URL(link.href);
    if (next.pathname !== '/analysis') return;
    next.searchParams.set('player', player);
    link.href = next;
  });
};

// search asks the player. Those that draw moves do so by seed.
const search = async (seed) => {
  const button = form.querySelector('button');
  const player = form.elements.player.value.trim();
  button.disabled = true;
  answer.replaceChildren(make('p', {}, 'Searching …'));
  try {
    const found = await read('/api/analysis', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...question(), player, seed: String(seed) }),
    });
    remember(player);
    describe(found);
    return found;
  } catch (error) {
    answer.replaceChildren(make('p', { class: 'problem' }, error.message));
    return undefined;
  } finally {
    button.disabled = false;
  }
};

form.addEventListener('submit', (event) => {
  if (event.submitter?.name === 'against') return;
  event.preventDefault();
  search(0);
});

// In a game against the reader the player moves at once. Its move takes the place of this page in the
// history: Back leads to the reader's last decision.
if (data.answers) {
  const found = await search(data.played?.length ?? 0);
  if (found?.move) location.replace(linkOf(found.move).href);
}

// A reader who played by keyboard goes on there.
const cell = sessionStorage.getItem('cell');
if (cell && !data.answers) {
  sessionStorage.removeItem('cell');
  board.cells[board.places.get(cell)]?.focus();
}
