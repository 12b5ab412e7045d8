// What the modules share: elements, numbers and answers of the server.

// make returns an element with attributes and children. A child that is no element is a text.
export const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

export const number = (n) => n.toLocaleString('en-US');

export const percent = (share) => {
  const p = 100 * share;
  return (p === 0 || p >= 10 ? Math.round(p * 10) / 10 : Number(p.toPrecision(2))) + ' %';
};

// size writes bytes as the server does.
export const size = (bytes) => {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (bytes /= 1000; bytes >= 999.95 && unit < units.length - 1; unit++) bytes /= 1000;
  return `${bytes.toFixed(1)} ${units[unit]}`;
};

// read returns the JSON at a URL, or throws the error that the server gives.
export const read = async (url, options) => {
  const response = await fetch(url, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
};

// bar returns a bar of a share as SVG, which needs no inline style.
export const bar = (share) => {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const rect = document.createElementNS(ns, 'rect');
  for (const [key, value] of [['class', 'bar'], ['viewBox', '0 0 100 10'], ['preserveAspectRatio', 'none'], ['aria-hidden', 'true']]) svg.setAttribute(key, value);
  rect.setAttribute('width', (100 * share).toFixed(1));
  rect.setAttribute('height', 10);
  svg.append(rect);
  return svg;
};

// table returns a table with the rows of a policy: moves, and their shares as bars. name returns what
// stands for a move.
export const policyTable = (policy, name = (c) => c.text, most = 8) => {
  const longest = Math.max(...policy.map((c) => c.share));
  const rows = policy.slice(0, most).map((c) => make('tr', {}, make('th', { scope: 'row' }, name(c)),
    make('td', {}, bar(c.share / longest)), make('td', { class: 'number' }, percent(c.share))));
  const head = make('tr', {}, make('th', { scope: 'col' }, 'policy'), make('td'), make('th', { scope: 'col', class: 'number' }, 'share'));
  const table = make('table', { class: 'policy' }, make('thead', {}, head), make('tbody', {}, ...rows));
  const rest = policy.length - most;
  return rest > 0 ? [table, make('p', { class: 'quiet small' }, `and ${rest} more ${rest === 1 ? 'move' : 'moves'}`)] : [table];
};
