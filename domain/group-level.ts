/** The levels of groups below the customer, which is level 1. */
export const groupLevels = [2, 3, 4, 5] as const;
export type GroupLevel = (typeof groupLevels)[number];

/** Groups of this level are the unit offices of the reports. */
export const UNIT_OFFICE = 5;

/** The longest name of a level that labels and column heads have room for. */
export const LONGEST_LEVEL_NAME = 40;

/** The names that a company gave to the levels; an empty one keeps the usual name. */
export interface LevelNames {
  group2_name: string;
  group3_name: string;
  group4_name: string;
  group5_name: string;
}

/** The words for groups of one level. */
export interface LevelWords {
  /** As a label or the head of a column: 'Unit office'. */
  title: string;
  /** Inside a sentence: 'Health by unit office'. */
  one: string;
  /** All of them, as a row of totals: 'All unit offices'. */
  all: string;
  /** Several of them, at the beginning of a line: 'Unit offices'. */
  many: string;
  /** The company gave the level no name. */
  isUsual: boolean;
}

/** The name of a level as the company calls it, else the usual one. A company's own name is written as the company wrote it. */
export function levelWords(level: number, names: LevelNames | null): LevelWords {
  const own = groupLevels.some((known) => known === level) ? names?.[`group${level as GroupLevel}_name`].trim() : '';
  if (own) return { title: own, one: own, all: `${own}: all`, many: own, isUsual: false };
  if (level === UNIT_OFFICE) {
    return { title: 'Unit office', one: 'unit office', all: 'All unit offices', many: 'Unit offices', isUsual: true };
  }
  const usual = `group of level ${level}`;
  return {
    title: `Group of level ${level}`,
    one: usual,
    all: `All groups of level ${level}`,
    many: `Groups of level ${level}`,
    isUsual: true,
  };
}
