import type { ReactNode } from 'react';
import { LinkList } from '../../kit/record/LinkList.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import classes from './CauseList.module.css';
import { causeSource } from './dependency.queries.ts';

interface CauseListProps {
  /** Uuid of the rule or site that depends on the causes; undefined for a new one. */
  self: string | undefined;
  /** Site whose rules are offered first. */
  siteUuid: string | undefined;
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  /** Name of what the causes silence, for the hint: `this rule`. */
  dependent: 'this rule' | 'this site';
  error?: ReactNode;
}

/** Edits the causes on which a rule or site depends. */
export function CauseList({ self, siteUuid, value, onChange, dependent, error }: CauseListProps) {
  return (
    <div data-path="causes">
      <LinkList
        label="Depends on"
        source={causeSource(siteUuid, self)}
        value={value}
        onChange={onChange}
        error={error}
        empty="No cause chosen."
      />
      <p className={classes.hint}>
        While one of these is in alarm, alarms of {dependent} are recorded under it, and nobody is notified of them.
      </p>
    </div>
  );
}
