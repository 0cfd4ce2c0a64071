/** Names of the placeholders. In each alarm, the alarm's values replace them. */
const known = new Set(['site', 'asset', 'datapoint', 'value', 'limit', 'unit', 'time']);

export interface Piece {
  text: string;
  placeholder: boolean;
}

/** Splits a message into plain text and placeholders. Unknown names in braces are plain text, also in sent messages. */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, placeholder: text.startsWith('{') && known.has(text.slice(1, -1)) }));
}
