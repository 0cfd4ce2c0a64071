import type { ReactNode } from 'react';
import { LinkList } from '../record/LinkList.tsx';
import type { Option } from '../record/Picker.tsx';
import { userSource } from './user-options.queries.ts';

interface UserLinksProps {
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  empty: string;
  error?: ReactNode;
}

/** Lets the user edit the users who are linked to a record. */
export function UserLinks(props: UserLinksProps) {
  return <LinkList label="Link a user" source={userSource} {...props} />;
}
