export { RecipientsAfterRename } from './alert/RecipientsAfterRename.tsx';
export { durationWords } from './rule-sentence.ts';
export { limitWords } from './rule-words.ts';
export { useConfirmDisable } from './useConfirmDisable.tsx';
