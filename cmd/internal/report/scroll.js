// Says above tables that are wider than their place that they scroll sideways.
'use strict';

{
  const hintOf = (box) => {
    const hint = document.createElement('p');
    hint.className = 'sideways';
    hint.setAttribute('aria-hidden', 'true'); // the region is scrolled by keyboard, too
    hint.textContent = 'Scroll the table sideways \u2192';
    box.before(hint);
    return hint;
  };

  const watch = (box) => {
    const hint = hintOf(box);
    const look = () => { hint.hidden = box.scrollWidth <= box.clientWidth + 1; };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    observer.observe(box.firstElementChild);
    look();
  };

  for (const box of document.querySelectorAll('.scroll')) watch(box);
}
