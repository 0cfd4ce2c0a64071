import { ActionIcon, Button, Checkbox, Input } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, type ReactNode, useState } from 'react';
import { TbAlertTriangle, TbPlus, TbX } from 'react-icons/tb';
import type { AlarmAccess } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { userChoiceSource } from '../../../kit/choices/choices.queries.ts';
import { linkUsersToSites } from '../../../kit/choices/site-links.queries.ts';
import { AddPicker } from '../../../kit/record/AddPicker.tsx';
import { useUser } from '../../../kit/session/session.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { PersonUnreached, useUnreachedPeople } from '../../notification/index.ts';
import { occasionWords } from '../rule-words.ts';
import classes from './RuleAlertForm.module.css';
import { alarmReadersQuery } from './rule-alert.queries.ts';
import type { EscalateRow, PersonRow } from './rule-alert-form.ts';

const flags = [
  ['isAlert', 'Opens'],
  ['isResolve', 'Resolves'],
  ['isHealth', 'Silent'],
] as const;

interface PeopleProps<Row> {
  people: Row[];
  /** Error from the server about the list of people, shown above the list. */
  error?: ReactNode;
  /** Site of the rule alert; null until the user chooses one. */
  siteUuid: string | null;
  onChange: (next: Row[]) => void;
}

interface AlertPeopleProps extends PeopleProps<PersonRow> {
  /** True for the rule alert for silent sites. It notifies only people for whom Silent is selected. */
  ofSilence: boolean;
}

/**
 * Lists the people to notify. Checkboxes select whether a person is notified when an alarm opens, when it resolves, and
 * when the site becomes silent.
 */
export function AlertPeople({ people, error, siteUuid, ofSilence, onChange }: AlertPeopleProps) {
  const access = useAlarmReaders(siteUuid, people);
  const add = (row: EscalateRow) =>
    onChange([...people, { ...row, isAlert: true, isResolve: true, isHealth: ofSilence }]);
  const unreached = useUnreachedPeople(people.map(({ userUuid }) => userUuid));
  return (
    <fieldset className={classes.group}>
      <legend>People notified</legend>
      <Refusal>{error}</Refusal>
      <p className={classes.hint}>{people.length === 0 ? 'Nobody is notified yet.' : occasionWords(people)}</p>
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
          <CannotOpen person={person} access={access?.get(person.userUuid)} siteUuid={siteUuid} />
          <PersonUnreached words={unreached?.get(person.userUuid)} />
        </div>
      ))}
      <AddPerson label="Add a person to notify" taken={people} onAdd={add} />
      <AddMe taken={people} onAdd={add} />
      {ofSilence && people.length > 0 && !people.some(({ isHealth }) => isHealth) ? (
        <p className={classes.hint} role="status">
          Nobody is notified when the site is silent. Select Silent for at least one person.
        </p>
      ) : null}
    </fieldset>
  );
}

/** Lists the escalate users, who are notified if nobody acknowledges the alarm in time. */
export function EscalatePeople({ people, error, siteUuid, onChange }: PeopleProps<EscalateRow>) {
  const access = useAlarmReaders(siteUuid, people);
  const unreached = useUnreachedPeople(people.map(({ userUuid }) => userUuid));
  return (
    <fieldset className={classes.group}>
      <legend>People notified if nobody acknowledges</legend>
      <Refusal>{error}</Refusal>
      <p className={classes.hint}>
        {people.length === 0
          ? 'No escalation.'
          : 'After an escalation, these people are also notified when the alarm resolves.'}
      </p>
      {people.map((person) => (
        <div key={person.userUuid} className={classes.row}>
          <span className={classes.name}>{person.name}</span>
          <Remove name={person.name} onClick={() => onChange(people.filter((row) => row !== person))} />
          <CannotOpen person={person} access={access?.get(person.userUuid)} siteUuid={siteUuid} />
          <PersonUnreached words={unreached?.get(person.userUuid)} />
        </div>
      ))}
      <AddPerson label="Add a person to escalate to" taken={people} onAdd={(row) => onChange([...people, row])} />
    </fieldset>
  );
}

/** Returns which of these users are allowed to open the site's alarms. */
export function useAlarmReaders(siteUuid: string | null, people: readonly Pick<EscalateRow, 'userUuid'>[]) {
  const asked = people.map(({ userUuid }) => userUuid);
  return useQuery(alarmReadersQuery(siteUuid, asked)).data;
}

interface CannotOpenProps {
  person: EscalateRow;
  access: AlarmAccess | undefined;
  siteUuid: string | null;
}

/**
 * Warns that a recipient is not allowed to open the site's alarms, so the link in the notification does not work for
 * that person.
 */
export const CannotOpen = memo(function CannotOpen({ person: { userUuid, name }, access, siteUuid }: CannotOpenProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  if (!access || access.opens || siteUuid === null) return null;
  const link = async () => {
    setBusy(true);
    try {
      await linkUsersToSites([siteUuid], [userUuid]);
      await client.invalidateQueries({ queryKey: ['user'] });
      toast.success(`${name} is linked to the site.`);
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.warning} role="status">
      <TbAlertTriangle size={14} strokeWidth={1.75} aria-hidden />
      {access.because === 'service-account' ? (
        <p>{name} is a partner account and cannot open alarms. Choose a person.</p>
      ) : (
        <>
          <p>
            {name} has no access to this site’s alarms. Link them to the site, or give them a manager level (below 10).
          </p>
          <Button
            variant="default"
            size="compact-xs"
            loading={busy}
            aria-label={`Link ${name} to the site`}
            onClick={() => void link()}
          >
            Link
          </Button>
        </>
      )}
    </div>
  );
});

interface AddPersonProps {
  label: string;
  taken: readonly EscalateRow[];
  onAdd: (row: EscalateRow) => void;
}

function AddPerson({ label, taken, onAdd }: AddPersonProps) {
  return (
    <AddPicker
      label={label}
      inField
      source={userChoiceSource}
      taken={taken.map(({ userUuid }) => userUuid)}
      onAdd={(person) => onAdd({ userUuid: person.value, name: person.label })}
    />
  );
}

/** Button that adds the signed-in user, who is usually the first recipient at a new plant. */
function AddMe({ taken, onAdd }: Omit<AddPersonProps, 'label'>) {
  const me = useUser();
  if (me.tocsin_partner_account || taken.some(({ userUuid }) => userUuid === me.uuid)) return null;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => onAdd({ userUuid: me.uuid, name: me.display_name })}
      >
        Add me
      </Button>
    </div>
  );
}

export function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={`Remove ${name}`} onClick={onClick}>
      <TbX size={14} strokeWidth={1.75} aria-hidden />
    </ActionIcon>
  );
}

/** Shows an error about the whole list of people or reasons. */
export function Refusal({ children }: { children: ReactNode }) {
  return children ? <Input.Error role="alert">{children}</Input.Error> : null;
}
