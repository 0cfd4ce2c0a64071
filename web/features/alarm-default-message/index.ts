export { PlaceholderButtons } from './PlaceholderButtons.tsx';
export { usedDefaultMessage } from './used-message.queries.ts';
