import { ask, graphql } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import type { OptionSource } from '../../../kit/record/Picker.tsx';

const takeAlarm = graphql(`
  mutation TakeAlarm($input: TakeAlarmInput!) {
    takeAlarm(input: $input) {
      result {
        uuid
      }
    }
  }
`);

/**
 * Takes an alarm. `from` is the person from whom the user takes it over. If the alarm has since been assigned to
 * somebody else, the server refuses.
 */
export async function sendTake(uuid: string, from: string | null): Promise<void> {
  await ask(takeAlarm, { input: { uuid, fromUserUuid: from } });
}

const assignAlarm = graphql(`
  mutation AssignAlarm($input: AssignAlarmInput!) {
    assignAlarm(input: $input) {
      result {
        uuid
      }
    }
  }
`);

/** Assigns an alarm to a person. `from` is the person to whom it is assigned now. */
export async function sendAssignment(uuid: string, person: string, from: string | null): Promise<void> {
  await ask(assignAlarm, { input: { uuid, userUuid: person, fromUserUuid: from } });
}

const releaseAlarm = graphql(`
  mutation ReleaseAlarm($input: ReleaseAlarmInput!) {
    releaseAlarm(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export async function sendRelease(uuid: string): Promise<void> {
  await ask(releaseAlarm, { input: { uuid } });
}

const assignablePeople = graphql(`
  query AssignablePeople($alarm: UUID!, $search: String!) {
    assignablePeople(alarmUuid: $alarm, search: $search, first: 30) {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** Finds the people to whom the alarm can be assigned. */
export function assigneeSource(alarm: string): OptionSource {
  return {
    key: ['assignable', alarm],
    find: async (search, signal) =>
      rowsOf((await ask(assignablePeople, { alarm, search }, signal)).assignablePeople).flatMap(({ uuid, name }) =>
        uuid ? [{ value: uuid, label: name ?? '' }] : [],
      ),
  };
}
