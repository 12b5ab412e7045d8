// Keeps the numbers of datasets current while they are being made, and loads a page again when
// its report is there.
import { make, number, read, size } from './elements.js';

const interval = 3000;
const classes = { running: 'running', done: 'ok', failed: 'alarm', killed: 'alarm', stopped: 'look', unfinished: 'look' };

const set = (root, name, ...content) => {
  const field = root.querySelector(`[data-field=${name}]`);
  if (!field || field.textContent === content.map((c) => c.textContent ?? c).join('')) return;
  field.replaceChildren(...content);
};

const badge = (state) => make('span', { class: `badge ${classes[state] ?? 'none'}` }, state);

const progress = (s) => {
  if (!s.target || s.games >= s.target) return [];
  const share = Math.floor(100 * s.games / s.target);
  return [make('progress', { max: 100, value: share, 'aria-label': 'finished games' }), ' ',
    make('span', { class: 'quiet' }, `${share} % of ${number(s.target)}`)];
};

// fill writes the state of a dataset into an element.
const fill = (root, s, apart) => {
  set(root, 'state', badge(s.state), ...(apart ? [] : [' ', ...progress(s)]));
  if (apart) set(root, 'progress', ...progress(s));
  set(root, 'games', number(s.games));
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
    for (const s of datasets) {
      if (s.error) continue;
      const row = rows.get(s.name);
      if (row) fill(row, s, false);
      if (tiles?.dataset.dataset === s.name) fill(tiles, s, true);
    }
    if (table && datasets.length !== rows.size) location.reload();
  } catch { /* the server may be starting again: look later */ }
};

if (table || tiles) setInterval(look, interval);

// The page of a report that is being made is looked at until it is there.
if (report) {
  const wait = async () => {
    try {
      const text = await (await fetch(location.href)).text();
      const next = new DOMParser().parseFromString(text, 'text/html').querySelector('[data-live=report]');
      if (!next) return location.reload();
      const [now, then] = [report.querySelector('progress'), next.querySelector('progress')];
      if (now && then) now.value = then.value;
    } catch { /* look later */ }
    setTimeout(wait, 1000);
  };
  setTimeout(wait, 400);
}
