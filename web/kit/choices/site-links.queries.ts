import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import type { Option, OptionSource } from '../record/Picker.tsx';

const linkSiteUsers = graphql(`
  mutation LinkSiteUsers($sites: [UUID]!, $users: [UUID]!) {
    linkSiteUsers(input: { sites: $sites, users: $users }) {
      linked
    }
  }
`);

/** Links each user to each site. Existing links are kept. */
export function linkUsersToSites(sites: readonly string[], users: readonly string[]) {
  return ask(linkSiteUsers, { sites: [...sites], users: [...users] });
}

const siteOptions = graphql(`
  query SiteOptions($filter: SiteFilter!) {
    sites(first: 30, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        siteId
      }
    }
  }
`);

function siteOption(site: { uuid: string; name: string; siteId: string }): Option {
  return { value: site.uuid, label: `${site.name}, ${site.siteId}` };
}

/** Finds sites by name or ID. */
export const siteSource: OptionSource = {
  key: ['site'],
  find: async (text, signal) => {
    const filter = { and: everyWord(text, (word) => [{ name: word }, { siteId: word }]) };
    return rowsOf((await ask(siteOptions, { filter }, signal)).sites).map(siteOption);
  },
};
