// Steps through the games of #replay-data. The element with the id of a game has a live
// drawing of the first position, buttons, a slider and the list of moves. The cells of the board have
// one stop for Tab; arrow keys move among them, and what stands on a cell is written below the board.
// For tests the element gets the number of plies that were played (data-ply).
'use strict';

{
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  // positionsOf returns a function from a number of plies to the codes of the cells.
  const positionsOf = (game) => {
    const known = [game.cells];
    return (ply) => {
      while (known.length <= ply) {
        const next = known.at(-1).slice();
        const changed = game.steps[known.length - 1].cells ?? [];
        for (let i = 0; i < changed.length; i += 2) next[changed[i]] = changed[i + 1];
        known.push(next);
      }
      return known[ply];
    };
  };

  // marksOf returns the cells that the turn of a ply changed: true for those of the last step.
  const marksOf = (game, ply) => {
    const marks = new Map();
    for (let i = ply - 1; i >= 0; i--) {
      const changed = game.steps[i].cells ?? [];
      for (let k = 0; k < changed.length; k += 2) if (!marks.has(changed[k])) marks.set(changed[k], i === ply - 1);
      if (!game.steps[i].more) break;
    }
    return marks;
  };

  // handsAt returns the pieces in hand after some plies.
  const handsAt = (game, ply) => (ply ? game.steps[ply - 1].hands : game.hands) ?? [];

  // wordsOf says what a code stands for.
  const wordsOf = (code) => document.getElementById('figure' + code).querySelector('title').textContent;

  // nameCells lets the reader point at cells, or move the focus among them. It returns what writes the
  // names of a position.
  const nameCells = (figure, files) => {
    const cells = [...figure.querySelectorAll('.cell')];
    const caption = figure.querySelector('.cell-name');
    let focused = 0;
    const say = () => { caption.textContent = cells[focused].getAttribute('aria-label'); };
    const focus = (i) => {
      cells[focused].setAttribute('tabindex', -1);
      cells[i].setAttribute('tabindex', 0);
      focused = i;
      say();
    };
    const step = (key) => {
      const [row, file] = [Math.floor(focused / files), focused % files];
      const to = { ArrowLeft: [row, file - 1], ArrowRight: [row, file + 1], ArrowUp: [row - 1, file], ArrowDown: [row + 1, file] }[key];
      return to && to[1] >= 0 && to[1] < files ? cells[to[0] * files + to[1]] : undefined;
    };
    cells.forEach((cell, i) => {
      cell.addEventListener('focus', () => focus(i));
      cell.addEventListener('pointerenter', () => { caption.textContent = cell.getAttribute('aria-label'); });
      cell.addEventListener('keydown', (event) => {
        if (!event.key.startsWith('Arrow') || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation(); // elsewhere arrow keys step through the game
        step(event.key)?.focus();
      });
    });
    return (codes) => {
      codes.forEach((code, i) => {
        const words = cells[i].dataset.cell + ', ' + (code ? wordsOf(code) : cells[i].dataset.empty);
        cells[i].setAttribute('aria-label', words);
        cells[i].firstElementChild.textContent = words; // the tooltip
      });
      if (cells.includes(document.activeElement)) say();
    };
  };

  const start = (game) => {
    const figure = document.getElementById(game.id);
    const find = (selector) => figure.querySelector(selector);
    const files = Number(figure.dataset.files);
    const [slider, pieces, marks, list, curve] = ['input', '.pieces', '.marks', '.moves', '.curve .now'].map(find);
    const [title, note] = [find('.step b'), find('.step small')];
    const cut = note.textContent;
    const moves = list.children;
    const last = game.steps.length;
    const positionAt = positionsOf(game);
    const hands = [...figure.querySelectorAll('[data-hand]')];
    const nameAll = nameCells(figure, files);
    let ply = 0;

    const place = (cell) => ({ x: 10 * (cell % files), y: 10 * Math.floor(cell / files) });
    const figureOf = (code, cell) => {
      const copy = document.getElementById('figure' + code).cloneNode(true);
      const { x, y } = place(cell);
      copy.removeAttribute('id');
      copy.setAttribute('transform', 'translate(' + (x + 5) + ' ' + (y + 5) + ')');
      return copy;
    };
    const drawBoard = () => {
      pieces.replaceChildren(...positionAt(ply).flatMap((code, cell) => code ? [figureOf(code, cell)] : []));
      marks.replaceChildren(...[...marksOf(game, ply)].map(([cell, now]) =>
        svg('rect', { class: now ? 'mark' : 'mark earlier', width: 10, height: 10, ...place(cell) })));
    };
    const writeHands = () => {
      const numbers = handsAt(game, ply);
      for (const hand of hands) hand.textContent = numbers[hand.dataset.hand] ?? hand.textContent;
    };
    const write = () => {
      const step = game.steps[ply - 1];
      title.textContent = step ? 'Ply ' + ply + ' of ' + last + ', ' + step.text : game.begin;
      note.textContent = step ? step.note + (ply === last ? '. ' + game.end + '.' : '') : cut;
      slider.value = ply;
      slider.setAttribute('aria-valuetext', title.textContent);
      figure.dataset.ply = ply;
      for (const [name, off] of [['first', ply === 0], ['back', ply === 0], ['on', ply === last], ['last', ply === last]]) {
        find('[data-go=' + name + ']').setAttribute('aria-disabled', off);
      }
    };
    const markMove = () => {
      list.querySelector('.now')?.classList.remove('now');
      const move = moves[ply - 1];
      move?.classList.add('now');
      const top = move ? move.offsetTop : 0; // scrolls the list only, never the page
      if (top < list.scrollTop || top + 22 > list.scrollTop + list.clientHeight) list.scrollTop = top - 44;
      curve?.setAttribute('d', 'M' + ply + ' 0v40');
    };
    const show = (to) => {
      ply = Math.min(Math.max(to, 0), last);
      drawBoard();
      nameAll(positionAt(ply));
      writeHands();
      write();
      markMove();
    };

    const targets = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => last };
    const keys = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' };
    figure.addEventListener('click', (event) => {
      const go = event.target.closest('[data-go]')?.dataset.go;
      const move = event.target.closest('.moves li');
      if (go) show(targets[go] ? targets[go]() : Number(go));
      if (move) show([...moves].indexOf(move) + 1);
    });
    figure.addEventListener('keydown', (event) => {
      const go = keys[event.key];
      if (!go || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show(targets[go]());
    });
    slider.addEventListener('input', () => show(Number(slider.value)));

    list.tabIndex = 0;
    figure.classList.add('live');
    find('.controls').hidden = false;
    show(0);
  };

  for (const game of JSON.parse(document.getElementById('replay-data').textContent) ?? []) start(game);
}
