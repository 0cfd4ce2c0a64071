/** What a message may leave open until its alarm fills it in. */
const known = new Set(['site', 'asset', 'datapoint', 'value', 'limit', 'unit', 'time']);

export interface Piece {
  text: string;
  placeholder: boolean;
}

/** A message cut into plain text and placeholders. Braces around anything else are plain text, as the sender takes them. */
export function piecesOf(message: string): Piece[] {
  return message
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => ({ text, placeholder: text.startsWith('{') && known.has(text.slice(1, -1)) }));
}
