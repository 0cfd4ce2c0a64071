import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { can } from '../../../domain/permission.ts';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import { useActor } from '../../kit/session/actor.ts';
import { addGroup, groupSource } from './group-record.queries.ts';

interface GroupPickerProps {
  level: 2 | 3 | 4 | 5;
  label: string;
  value: Option | null;
  onChange: (next: Option | null) => void;
  error?: ReactNode;
  path?: string;
}

const sources = { 2: groupSource(2), 3: groupSource(3), 4: groupSource(4), 5: groupSource(5) };

/** Field for choosing a group of one level. Users with permission can also add a group here. */
export function GroupPicker({ level, ...field }: GroupPickerProps) {
  const client = useQueryClient();
  const create = async (name: string) => {
    const made = await addGroup({ level, name });
    await client.invalidateQueries({ queryKey: ['group'] });
    return made;
  };
  return (
    <Picker {...field} source={sources[level]} clearable {...(can(useActor(), 'group.create') ? { create } : {})} />
  );
}
