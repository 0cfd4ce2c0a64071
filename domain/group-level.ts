/** The group levels below the customer. The customer is level 1. */
export const groupLevels = [2, 3, 4, 5] as const;
export type GroupLevel = (typeof groupLevels)[number];

/** The level whose groups are the unit offices of the reports. */
export const UNIT_OFFICE = 5;

/** Maximum length of a level name, so that it fits labels and column headings. */
export const LONGEST_LEVEL_NAME = 40;

/** Level names of a company. An empty name means the default name. */
export interface LevelNames {
  group2_name: string;
  group3_name: string;
  group4_name: string;
  group5_name: string;
}

/** Names for the groups of one level. */
export interface LevelWords {
  /** Title for labels and column headings: 'Unit office'. */
  title: string;
  /** Singular within a sentence: 'Health by unit office'. */
  one: string;
  /** Label of the row of totals: 'All unit offices'. */
  all: string;
  /** Plural at the start of a line: 'Unit offices'. */
  many: string;
  /** True if the level has its default name. */
  isUsual: boolean;
}

/** Returns the words for a level: the name that the company chose, unchanged, or the default name. */
export function levelWords(level: number, names: LevelNames | null): LevelWords {
  const own = groupLevels.some((known) => known === level) ? names?.[`group${level as GroupLevel}_name`].trim() : '';
  if (own) return { title: own, one: own, all: `${own}: all`, many: own, isUsual: false };
  if (level === UNIT_OFFICE) {
    return { title: 'Unit office', one: 'unit office', all: 'All unit offices', many: 'Unit offices', isUsual: true };
  }
  const usual = `level ${level} group`;
  return {
    title: `Level ${level} group`,
    one: usual,
    all: `All level ${level} groups`,
    many: `Level ${level} groups`,
    isUsual: true,
  };
}
