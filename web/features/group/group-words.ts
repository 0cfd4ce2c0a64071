/** Groups of this level are the unit offices of the reports. */
export const UNIT_OFFICE = 5;

export function levelWords(level: number): string {
  return level === UNIT_OFFICE ? `${level}, unit office` : String(level);
}

export const groupLevels = [2, 3, 4, 5].map((level) => ({ value: String(level), label: levelWords(level) }));
