export { isUseless, readingLine } from './call-lines.ts';
export { frameFormatWords } from './frame-format.ts';
export { doorWord, readFrame } from './reading.ts';
export { isTurnedAway, problemText } from './turned-away.ts';
