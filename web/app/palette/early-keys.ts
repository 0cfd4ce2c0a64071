/** Text typed between the shortcut and the moment when the palette's field gets the focus. */
let typed = '';

/** Buffers keys until the palette is rendered. */
export function keepEarlyKeys(): void {
  typed = '';
  window.addEventListener('keydown', keep, true);
}

/** Stops buffering and returns the buffered text. */
export function takeEarlyKeys(): string {
  window.removeEventListener('keydown', keep, true);
  const text = typed;
  typed = '';
  return text;
}

function keep(event: KeyboardEvent): void {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  // Prevents the page's own shortcuts from handling the key.
  event.stopImmediatePropagation();
  typed += event.key;
}
