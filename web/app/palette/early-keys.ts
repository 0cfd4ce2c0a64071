/** What was typed after the shortcut and before the palette's field had the focus. */
let typed = '';

/** Whoever types on at once has written the first letters before the palette is drawn. They are kept for its field. */
export function keepEarlyKeys(): void {
  typed = '';
  window.addEventListener('keydown', keep, true);
}

/** Ends it, and gives what was typed. */
export function takeEarlyKeys(): string {
  window.removeEventListener('keydown', keep, true);
  const text = typed;
  typed = '';
  return text;
}

function keep(event: KeyboardEvent): void {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  // Nor is it a key of the page.
  event.stopImmediatePropagation();
  typed += event.key;
}
