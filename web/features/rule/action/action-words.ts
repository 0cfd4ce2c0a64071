import { plural } from '../../../../domain/plural.ts';
export const actionNames: Readonly<Record<number, string>> = {
  1: 'Notify one person',
  2: 'Notify the people listed',
  3: 'Queue a sensor command',
};

/** Splits the list of user uuids in an action at spaces, commas and semicolons. */
export function listedPeople(text: string): string[] {
  return text.split(/[\s,;]+/).filter(Boolean);
}

interface ActionWords {
  action: number;
  tocsinUsers: string;
  replyCommand: string;
  personName: string | null;
}

/** Describes an action in one line: `Notify Ruth Adeyemi`, `Notify 3 people`, `Queue “PUMP STOP”`. */
export function actionWords({ action, tocsinUsers, replyCommand, personName }: ActionWords): string {
  if (action === 3) return `Queue “${replyCommand}”`;
  if (action === 1) return `Notify ${personName ?? 'nobody'}`;
  const count = listedPeople(tocsinUsers).length;
  return `Notify ${count} ${plural(count, 'person', 'people')}`;
}
