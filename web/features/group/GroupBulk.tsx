import { EnableBulk } from '../../kit/record/EnableBulk.tsx';
import type { GroupRow } from './group.queries.ts';
import { changeGroup, removeGroup } from './group-record.queries.ts';

interface GroupBulkProps {
  groups: readonly GroupRow[];
  /** Called after an action with the groups that remain selected; an empty list clears the selection. */
  onSelect: (groups: readonly GroupRow[]) => void;
}

export function GroupBulk({ groups, onSelect }: GroupBulkProps) {
  return (
    <EnableBulk
      noun="group"
      records={groups}
      onSelect={onSelect}
      nameOf={(group) => group.name}
      change={changeGroup}
      remove={removeGroup}
      note={<p>An inactive group cannot be chosen for sites. Sites that already have the group keep it.</p>}
    />
  );
}
