/** Placeholders that the alarm replaces with its own values. */
const known = new Set(['site', 'asset', 'datapoint', 'value', 'limit', 'unit', 'time']);

export interface Piece {
  text: string;
  placeholder: boolean;
}

/** Splits a message into plain text and placeholders. Unknown names in braces are plain text, as when it is sent. */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, placeholder: text.startsWith('{') && known.has(text.slice(1, -1)) }));
}
