import { dropDraft, readDraft, writeDraft } from '../../kit/record/draft.ts';
import { createStore } from '../../ui/store.ts';

const NAME = 'left undone';

/** The action that the end of the session interrupted, as text. The login shows it until sign-in; empty if none. */
export const unfinishedAction = createStore(readDraft<{ words: string }>(NAME)?.words ?? '');

// Survives a reload of the login page.
unfinishedAction.subscribe((words) => (words === '' ? dropDraft(NAME) : writeDraft(NAME, { words })));
