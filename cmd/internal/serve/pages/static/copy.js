// Copies the texts of buttons with data-copy, the id of the element with the text.

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const from = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(from.textContent);
    button.textContent = 'Copied';
  } catch { // without a secure connection the browser refuses
    getSelection().selectAllChildren(from);
    button.textContent = 'Selected: press Ctrl+C';
  }
});
