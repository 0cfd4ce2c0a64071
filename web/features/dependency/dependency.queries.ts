import { ask, type FragmentOf, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { Option, OptionSource } from '../../kit/record/Picker.tsx';

/** A cause on which a rule or site depends, or one to choose. */
export const causeFields = graphql(`
  fragment CauseFields on Cause {
    uuid
    kind
    name
    siteName
  }
`);

type Cause = FragmentOf<typeof causeFields>;

const causeChoices = graphql(
  `
  query CauseChoices($search: String!, $siteUuid: UUID) {
    causeChoices(search: $search, siteUuid: $siteUuid, first: 30) {
      nodes {
        ...CauseFields
      }
    }
  }
`,
  [causeFields],
);

/** Finds causes by name or site. Causes at the given site come first. Leaves out `self`. */
export function causeSource(siteUuid: string | undefined, self: string | undefined): OptionSource {
  return {
    key: ['cause', siteUuid, self],
    find: async (search, signal) => {
      const { causeChoices: found } = await ask(causeChoices, { search, siteUuid: siteUuid ?? null }, signal);
      return causeOptions(rowsOf(found)).filter(({ value }) => value !== self);
    },
  };
}

/** Returns causes as options: `Mains power, Mill`, and `Mill is silent` for the silence of a site. */
export function causeOptions(causes: readonly Cause[]): Option[] {
  return causes.map(({ uuid, kind, name, siteName }) => ({
    value: uuid ?? '',
    label: kind === 'silence' ? `${siteName} is silent` : `${name}, ${siteName}`,
  }));
}
