// Asks a player about the position of the page and draws its answer.
import { Board } from './board.js';
import { make, number, percent, policyTable, read } from './elements.js';

const data = JSON.parse(document.getElementById('analysis-data').textContent);
const board = new Board(document.querySelector('#analysis svg.board'), data);
const form = document.getElementById('ask');
const answer = document.getElementById('answer');

const fact = (name, ...value) => [make('dt', {}, name), make('dd', {}, ...value)];

const describe = (a) => {
  if (!a.move) {
    answer.replaceChildren(make('p', {}, `The game is over: ${a.result || 'no result'}, ${a.reason}.`));
    return;
  }
  const facts = [fact('plays', make('b', {}, a.move.text))];
  if (a.searched) {
    if (a.best.action !== a.move.action) facts.push(fact('best', make('b', {}, a.best.text)));
    facts.push(fact('score', a.score_text));
    facts.push(fact('nodes', `${number(a.nodes)} in ${a.seconds < 0.1 ? (1000 * a.seconds).toFixed(1) + ' ms' : a.seconds.toFixed(2) + ' s'}`));
    if (a.model) facts.push(fact('model', `win chances fitted to games of ${a.model}`));
  }
  facts.push(fact('player', make('code', {}, a.player)));
  const parts = [make('dl', { class: 'ply' }, ...facts.flat())];
  if (a.limited) parts.push(make('p', { class: 'note' }, 'The limits of the server may have ended this search: the player would search longer.'));
  if (a.policy) parts.push(...policyTable(a.policy));
  answer.replaceChildren(...parts);
  const most = Math.max(0.001, ...(a.policy ?? []).map((c) => c.share));
  const others = (a.policy ?? []).slice(0, 6).filter((c) => c.action !== a.move.action).map((c) => ({ ...c, share: c.share / most, kind: 'policy' }));
  board.point([...others, { ...a.move, share: 0.7, kind: 'played' }]);
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  const player = form.elements.player.value.trim();
  button.disabled = true;
  answer.replaceChildren(make('p', {}, 'Searching …'));
  try {
    describe(await read('/api/analysis', {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ game: data.game, variant: data.variant, position: data.position, player }),
    }));
    const url = new URL(location);
    url.searchParams.set('player', player);
    history.replaceState(null, '', url);
    document.querySelectorAll('#legal a').forEach((link) => {
      const to = new URL(link.href);
      to.searchParams.set('player', player);
      link.href = to;
    });
  } catch (error) {
    answer.replaceChildren(make('p', { class: 'problem' }, error.message));
  }
  button.disabled = false;
});

// A cell that the reader chooses lists the legal moves that touch it.
const legal = [...document.querySelectorAll('#legal li')];
const touching = (name) => legal.filter((li) => new RegExp(`(^|[^a-z])${name}([^0-9]|$)|${name}([^0-9]|$)`).test(li.textContent + ' ' + new URL(li.firstElementChild.href).searchParams.get('play')));
document.querySelector('#analysis svg.board').addEventListener('click', (event) => {
  const name = event.target.closest('.cell')?.dataset.cell;
  if (!name) return;
  const found = touching(name);
  legal.forEach((li) => li.classList.toggle('touches', found.includes(li)));
  found[0]?.scrollIntoView({ block: 'nearest' });
});
document.querySelector('#analysis svg.board').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  touching(event.target.dataset.cell)[0]?.firstElementChild.focus();
});
