// Keeps the numbers of datasets current while they are being made, and loads a page again when
// its report is there.
import { make, number, read, size } from './elements.js';

const interval = 3000;
const classes = { running: 'running', done: 'ok', failed: 'alarm', killed: 'alarm', stopped: 'warning', unfinished: 'warning' };

const set = (root, name, ...content) => {
  const field = root.querySelector(`[data-field=${name}]`);
  if (!field || field.textContent === content.map((c) => c.textContent ?? c).join('')) return;
  field.replaceChildren(...content);
};

const badge = (state) => make('span', { class: `badge ${classes[state] ?? 'none'}` }, state);

const progress = (s) => {
  if (!s.target || s.games_done >= s.target) return [];
  const share = Math.floor(100 * s.games_done / s.target);
  return [make('progress', { max: 100, value: share, 'aria-label': 'finished games' }), ' ',
    make('span', { class: 'quiet' }, `${share} % of ${number(s.target)}`)];
};

// fill writes the state of a dataset into an element.
const fill = (root, s, apart) => {
  set(root, 'state', badge(s.state), ...(apart ? [] : [' ', ...progress(s)]));
  if (apart) set(root, 'progress', ...progress(s));
  set(root, 'games', number(s.games_done));
  set(root, 'rows', number(s.rows));
  set(root, 'bytes', size(s.bytes));
};

const table = document.querySelector('[data-live=datasets]');
const tiles = document.querySelector('[data-live=dataset]');
const report = document.querySelector('[data-live=report]');

const look = async () => {
  if (document.hidden) return;
  try {
    const { datasets } = await read('/api/datasets');
    const rows = new Map([...table?.querySelectorAll('[data-dataset]') ?? []].map((row) => [row.dataset.dataset, row]));
    let changed = Boolean(table) && datasets.length !== rows.size;
    for (const s of datasets) {
      const row = rows.get(s.name);
      if (row) changed ||= Boolean(s.error) !== Boolean(row.querySelector('.problem'));
      if (s.error) continue;
      if (row) fill(row, s, false);
      if (tiles?.dataset.dataset === s.name) fill(tiles, s, true);
    }
    if (changed) location.reload(); // to other rows, or a dataset whose state is known or lost
  } catch { /* the server may be starting again: look later */ }
};

if (table || tiles) setInterval(look, interval);

// The page of a report that is being made is looked at until it is there.
if (report) {
  const wait = async () => {
    try {
      const answer = await fetch(location.href);
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-live=report]');
      const [now, then] = [report.querySelector('progress'), next?.querySelector('progress')];
      if (answer.ok && (!next || !now !== !then)) return location.reload();
      if (now && then) now.value = then.value;
    } catch { /* look later */ }
    setTimeout(wait, 1000);
  };
  setTimeout(wait, 400);
}
