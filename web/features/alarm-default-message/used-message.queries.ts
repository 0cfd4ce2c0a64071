import { graphql } from '../../api/graphql.ts';

/** What it takes to know which of them is used. */
export const defaultMessages = graphql(`
  fragment DefaultMessages on Query {
    alarmDefaultMessages(first: 200) {
      nodes {
        uuid
        message
        createdAt
      }
    }
  }
`);

interface Made {
  uuid: string;
  createdAt: string;
}

/** The default message that alarms are told with: of several the oldest one, as server/alarm/context.ts takes it. */
export function usedOf<T extends Made>(messages: readonly T[]): T | null {
  const byAge = messages.toSorted(
    (one, other) => one.createdAt.localeCompare(other.createdAt) || one.uuid.localeCompare(other.uuid),
  );
  return byAge[0] ?? null;
}
