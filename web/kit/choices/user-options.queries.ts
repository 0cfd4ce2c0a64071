import { unreachableWords } from '../../../domain/notification/recipients.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import type { OptionSource } from '../record/Picker.tsx';

const userOptions = graphql(`
  query UserOptions($filter: UserFilter!) {
    users(first: 30, filter: $filter, orderBy: [DISPLAY_NAME_ASC]) {
      nodes {
        uuid
        displayName
        status
      }
    }
  }
`);

/** Users whom the signed-in user may see, searched by name. Disabled users are marked. */
export const userSource: OptionSource = {
  key: ['user'],
  find: async (text, signal) => {
    const filter = { and: everyWord(text, (word) => [{ displayName: word }]) };
    return rowsOf((await ask(userOptions, { filter }, signal)).users).map((user) => ({
      value: user.uuid,
      label: user.displayName,
      ...(!user.status && { note: unreachableWords.disabled }),
    }));
  },
};
