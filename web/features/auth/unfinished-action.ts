import { dropDraft, readDraft, writeDraft } from '../../kit/record/draft.ts';
import { createStore } from '../../ui/store.ts';

const NAME = 'left undone';

/**
 * Text about the action that was interrupted when the session ended. The login page shows it. Empty if there is none.
 */
export const unfinishedAction = createStore(readDraft<{ words: string }>(NAME)?.words ?? '');

// Store the text, so that it survives a reload of the login page.
unfinishedAction.subscribe((words) => (words === '' ? dropDraft(NAME) : writeDraft(NAME, { words })));
