import { groupLevels as levels, levelWords, UNIT_OFFICE } from '../../../domain/group-level.ts';
import { session } from './session.ts';

export { UNIT_OFFICE };

/**
 * Returns the customer's names for a group level. Call it on each render, because an owner can change the names while
 * the console is open.
 */
export function wordsOfLevel(level: number) {
  const current = session.get();
  return levelWords(level, current.status === 'in' ? current.user.tocsin_customer : null);
}

/** Returns the customer's names for unit offices. */
export const officeWords = () => wordsOfLevel(UNIT_OFFICE);

/** Returns the number of a level and its name if it has one: '5, unit office'. */
export function levelText(level: number): string {
  const { one, isUsual } = wordsOfLevel(level);
  return isUsual && level !== UNIT_OFFICE ? String(level) : `${level}, ${one}`;
}

/** Returns the levels as options of a select. */
export const levelChoices = () => levels.map((level) => ({ value: String(level), label: levelText(level) }));
