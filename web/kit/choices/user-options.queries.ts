import { unreachableWords } from '../../../domain/notification/recipients.ts';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import type { OptionSource } from '../record/Picker.tsx';
import { session } from '../session/session.ts';

const userOptions = graphql(`
  query UserOptions($filter: UserFilter!, $me: UUID!) {
    users(first: 30, filter: $filter, orderBy: [DISPLAY_NAME_ASC]) {
      nodes {
        uuid
        displayName
        email
        status
      }
    }
    me: user(uuid: $me) {
      uuid
      displayName
      email
      status
    }
  }
`);

type Filter = VariablesOf<typeof userOptions>['filter'];
type User = { uuid: string; displayName: string; email: string; status: boolean };

/**
 * Returns users who can be linked or notified. Includes the signed-in user, who is missing from the server's `users`
 * field.
 */
async function usersWithMe(filter: Filter, isWanted: (me: User) => boolean, signal: AbortSignal): Promise<User[]> {
  const current = session.get();
  if (current.status !== 'in') return [];
  const answer = await ask(userOptions, { filter, me: current.user.uuid }, signal);
  const { me } = answer;
  const others = rowsOf(answer.users).filter(({ uuid }) => uuid !== me?.uuid);
  if (!me || !isWanted(me)) return others;
  return [...others, me].sort((one, other) => one.displayName.localeCompare(other.displayName));
}

/** Searches by name among the users whom the signed-in user is allowed to choose. */
export function findUsers(text: string, signal: AbortSignal): Promise<User[]> {
  const words = text.toLowerCase().split(/\s+/);
  return usersWithMe(
    { and: everyWord(text, (word) => [{ displayName: word }]) },
    ({ displayName }) => words.every((word) => displayName.toLowerCase().includes(word)),
    signal,
  );
}

export async function findUser(uuid: string, signal: AbortSignal): Promise<User | undefined> {
  const [user] = await usersWithMe({ uuid: { equalTo: uuid } }, (me) => me.uuid === uuid, signal);
  return user;
}

/** Finds users to link. Disabled users are marked. */
export const userSource: OptionSource = {
  key: ['user'],
  find: async (text, signal) =>
    (await findUsers(text, signal)).map(({ uuid, displayName, status }) => ({
      value: uuid,
      label: displayName,
      ...(!status && { note: unreachableWords.disabled }),
    })),
};
