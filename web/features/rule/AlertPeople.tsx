import { ActionIcon, Checkbox, Input } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { KeyPicker } from '../record/Picker.tsx';
import { userChoiceSource } from './choices.queries.ts';
import classes from './RuleAlertForm.module.css';
import type { EscalateRow, PersonRow } from './rule-alert-form.ts';

const flags = [
  ['isAlert', 'Opens'],
  ['isResolve', 'Resolves'],
  ['isHealth', 'Silent'],
] as const;

interface PeopleProps<Row> {
  people: Row[];
  /** What the server says about them. */
  error?: ReactNode;
  onChange: (next: Row[]) => void;
}

/** Who is told, and of what: when it opens, when it resolves, when the site is silent. */
export function AlertPeople({ people, error, onChange }: PeopleProps<PersonRow>) {
  return (
    <fieldset className={classes.group}>
      <legend>People told</legend>
      <Refusal>{error}</Refusal>
      {people.length === 0 ? <p className={classes.hint}>Nobody is told yet.</p> : null}
      {people.map((person) => (
        <div key={person.userUuid} className={`${classes.row} ${classes.person}`}>
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
export function EscalatePeople({ people, error, onChange }: PeopleProps<EscalateRow>) {
  return (
    <fieldset className={classes.group}>
      <legend>People told when nobody acknowledges</legend>
      <Refusal>{error}</Refusal>
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
    <KeyPicker
      key={taken.length}
      aria-label={label}
      hint={label}
      value={null}
      source={userChoiceSource}
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

/** What is wrong with a whole list, where it stands. */
export function Refusal({ children }: { children: ReactNode }) {
  return children ? <Input.Error role="alert">{children}</Input.Error> : null;
}
