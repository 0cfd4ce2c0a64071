import { ActionIcon, Checkbox } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { RecordSelect } from '../record/RecordSelect.tsx';
import { userChoicesQuery } from './choices.queries.ts';
import classes from './RuleAlertForm.module.css';
import type { EscalateRow, PersonRow } from './rule-alert-form.ts';

const flags = [
  ['isAlert', 'Opens'],
  ['isResolve', 'Resolves'],
  ['isHealth', 'Silent'],
] as const;

/** Who is told, and of what: when it opens, when it resolves, when the site is silent. */
export function AlertPeople({ people, onChange }: { people: PersonRow[]; onChange: (next: PersonRow[]) => void }) {
  return (
    <fieldset className={classes.group}>
      <legend>People told</legend>
      {people.length === 0 ? <p className={classes.hint}>Nobody is told yet.</p> : null}
      {people.map((person) => (
        <div key={person.userUuid} className={classes.row}>
          <span className={classes.name}>{person.name}</span>
          {flags.map(([flag, label]) => (
            <Checkbox
              key={flag}
              label={label}
              aria-label={`${person.name}: ${label.toLowerCase()}`}
              checked={person[flag]}
              onChange={(event) => {
                const { checked } = event.currentTarget;
                onChange(people.map((row) => (row === person ? { ...row, [flag]: checked } : row)));
              }}
            />
          ))}
          <Remove name={person.name} onClick={() => onChange(people.filter((row) => row !== person))} />
        </div>
      ))}
      <AddPerson
        label="Add a person to tell"
        taken={people}
        onAdd={(row) => onChange([...people, { ...row, isAlert: true, isResolve: true, isHealth: false }])}
      />
    </fieldset>
  );
}

/** Who is told when nobody acknowledged in time. */
export function EscalatePeople({
  people,
  onChange,
}: {
  people: EscalateRow[];
  onChange: (next: EscalateRow[]) => void;
}) {
  return (
    <fieldset className={classes.group}>
      <legend>People told when nobody acknowledges</legend>
      {people.length === 0 ? <p className={classes.hint}>It does not escalate.</p> : null}
      {people.map((person) => (
        <div key={person.userUuid} className={classes.row}>
          <span className={classes.name}>{person.name}</span>
          <Remove name={person.name} onClick={() => onChange(people.filter((row) => row !== person))} />
        </div>
      ))}
      <AddPerson label="Add a person to escalate to" taken={people} onAdd={(row) => onChange([...people, row])} />
    </fieldset>
  );
}

interface AddPersonProps {
  label: string;
  taken: readonly EscalateRow[];
  onAdd: (row: EscalateRow) => void;
}

/** Drawn anew after each choice, so that the field is empty for the next. */
function AddPerson({ label, taken, onAdd }: AddPersonProps) {
  return (
    <RecordSelect
      key={taken.length}
      aria-label={label}
      placeholder={label}
      value={null}
      find={userChoicesQuery}
      onChange={(value, choice) => {
        if (value && choice && !taken.some(({ userUuid }) => userUuid === value)) {
          onAdd({ userUuid: value, name: choice.label });
        }
      }}
    />
  );
}

export function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onClick}>
      <IconX size={14} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}
