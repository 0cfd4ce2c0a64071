import type { ReactNode } from 'react';
import { siteSource } from '../../features/site/site-record.queries.ts';
import { LinkList } from '../record/LinkList.tsx';
import type { Option } from '../record/Picker.tsx';

interface SiteLinksProps {
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  empty: string;
  error?: ReactNode;
}

/** Sites linked to something. */
export function SiteLinks(props: SiteLinksProps) {
  return <LinkList label="Link a site" source={siteSource} {...props} />;
}
