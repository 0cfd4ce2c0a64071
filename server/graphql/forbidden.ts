import { type Actor, roleOf } from '../../domain/permission.ts';

const askers = new WeakMap<object, Actor>();

/** Stores the user's level with a permission error. `forbiddenSentence` uses the level for its message. */
export function rememberAsker(error: unknown, settings: Readonly<Record<string, string | undefined>>): void {
  const level = settings['tocsin.level'];
  if (typeof error !== 'object' || error === null || !level) return;
  askers.set(error, { level: Number(level), partnerAccount: settings['tocsin.partner_account'] === 'true' });
}

/** Returns a message that explains why the action is forbidden and who is allowed to do it. */
export function forbiddenSentence(error: object): string {
  const asker = askers.get(error);
  switch (asker && roleOf(asker)) {
    case 'partner':
      return 'A partner account manages sites, sensors and their commands, and reads groups and the sensor log. For anything else, sign in with a personal account.';
    case 'operator':
      return 'Your level does not allow this. Ask a manager, who has a level from 0 to 9.';
    case 'manager':
      return 'Your level does not allow this. Ask an owner, who has level 0.';
    default:
      return 'The API does not allow this.';
  }
}
