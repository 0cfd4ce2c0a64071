import { dropDraft, readDraft, writeDraft } from '../../kit/record/draft.ts';
import { createStore } from '../../ui/store.ts';

const NAME = 'left undone';

/** What was not done when the session ended, as the login says it until somebody signs in; empty where nothing was. */
export const leftUndone = createStore(readDraft<{ words: string }>(NAME)?.words ?? '');

// Also after the login page is loaded again: what was written still waits.
leftUndone.subscribe((words) => (words === '' ? dropDraft(NAME) : writeDraft(NAME, { words })));
