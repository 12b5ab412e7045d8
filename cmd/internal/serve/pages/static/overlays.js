// What a reader can lay over a board: the zones that pieces guard, and the names of the terrain. And the rules of the
// game, in place.
import { ask } from './teach.js';
import { make } from './elements.js';

export class Overlays {
  // root has the buttons with data-overlay, and the words below them; question is as in Teacher.
  constructor(board, root, data, question) {
    Object.assign(this, { board, question, data, sides: data.sides, words: root.querySelector('.overlay-words') });
    this.buttons = [...root.querySelectorAll('[data-overlay]')];
    for (const button of this.buttons) {
      button.hidden = false;
      button.addEventListener('click', () => this.press(button));
    }
  }

  is(name) {
    return this.buttons.some((b) => b.dataset.overlay === name && b.getAttribute('aria-pressed') === 'true');
  }

  press(button) {
    button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') !== 'true');
    this.refresh();
  }

  // refresh draws the overlays that are wanted on the position of the page.
  async refresh() {
    const { signs, lines } = this.data.grounds;
    const terrain = this.is('terrain') ? [make('ul', { class: 'ways' },
      ...signs.map(({ sign, name }) => make('li', {}, sign ? make('b', {}, sign) : 'no sign', `: ${name}`)),
      ...lines.flatMap((name, n) => name ? [make('li', {}, this.board.line(n), ` ${name}`)] : []))] : [];
    this.board.terrain(this.is('terrain') ? signs.filter(({ sign }) => sign) : []);
    if (!this.is('zones')) {
      this.board.guard([], this.sides);
      this.words.replaceChildren(...terrain);
      return;
    }
    try {
      const { zones } = await ask(await this.question());
      if (!this.is('zones')) return;
      this.board.guard(zones, this.sides);
      const lines = this.sides.map((side, i) => make('li', {}, this.board.hatching(i), ` guarded by ${side}`));
      this.words.replaceChildren(...terrain, make('ul', { class: 'ways' }, ...lines));
    } catch (error) {
      this.words.replaceChildren(...terrain, make('p', { class: 'problem' }, error.message));
    }
  }
}

// The rules open in a dialog. Without scripts they are a page of their own.
const dialog = () => {
  const close = make('button', { type: 'button', class: 'button' }, 'Close');
  const body = make('div', { class: 'rules' });
  const element = make('dialog', { class: 'rules-dialog', 'aria-label': 'Rules' }, make('p', { class: 'actions' }, close), body);
  close.addEventListener('click', () => element.close());
  document.body.append(element);
  return { element, body };
};

let rules;
document.addEventListener('click', async (event) => {
  const link = event.target.closest('a[data-rules]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    if (!rules) {
      const answer = await fetch(link.href);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      rules = dialog();
      rules.body.replaceChildren(...page.querySelector('.rules').childNodes);
    }
    rules.element.showModal();
  } catch {
    location.assign(link.href); // as a page
  }
});
