import type { ReactNode } from 'react';
import { LinkList } from '../record/LinkList.tsx';
import type { Option } from '../record/Picker.tsx';
import { siteSource } from './site-links.queries.ts';

interface SiteLinksProps {
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  empty: string;
  error?: ReactNode;
}

/** Lets the user edit the sites that are linked to a record. */
export function SiteLinks(props: SiteLinksProps) {
  return <LinkList label="Link a site" source={siteSource} {...props} />;
}
