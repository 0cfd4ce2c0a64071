/** Names of the placeholders, which are replaced with the values of each alarm. */
const known = new Set(['site', 'asset', 'datapoint', 'value', 'limit', 'unit', 'time']);

export interface Piece {
  text: string;
  placeholder: boolean;
}

/**
 * Splits a message into plain text and placeholders. Unknown names in braces stay plain text, also in sent messages.
 */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, placeholder: text.startsWith('{') && known.has(text.slice(1, -1)) }));
}
