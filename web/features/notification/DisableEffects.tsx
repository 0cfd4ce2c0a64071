import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { userChoiceSource } from '../../kit/choices/choices.queries.ts';
import { counted } from '../../kit/format/number.ts';
import { KeyPicker } from '../../kit/record/Picker.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { alertsOfPeopleQuery, type Replacement, replacementQuery } from './notification.queries.ts';
import classes from './UnreachedRecipients.module.css';
import { PersonUnreached, useUnreachedPeople } from './UnreachedRecipients.tsx';

interface DisableEffectsProps {
  /** Uuids of the people who are about to be disabled. */
  people: readonly string[];
  replacement: string | null;
  onReplacement: (uuid: string | null) => void;
  /** Message shown at the replacement field if the server refused the chosen replacement. */
  error?: string | undefined;
  /**
   * State of the confirmation checkbox. The checkbox appears if rule alerts would notify nobody, because there is no
   * replacement or notifications do not reach the replacement.
   */
  confirmation?: { isConfirmed: boolean; onConfirm: (isConfirmed: boolean) => void };
}

const MOST_SHOWN = 12;

/**
 * Lists the rule alerts of these people and offers to choose a replacement. Alerts that would notify nobody come first.
 */
export function DisableEffects({ people, replacement, onReplacement, error, confirmation }: DisableEffectsProps) {
  const found = useQuery(alertsOfPeopleQuery(people));
  const chosen = useQuery(replacementQuery(people, replacement));
  const unreached = useUnreachedPeople(replacement === null ? [] : [replacement]);
  if (found.isError) return <p role="alert">The affected rule alerts could not be loaded: {messageOf(found.error)}</p>;
  if (found.isPending) return <Skeleton width="70%" />;
  const alerts = found.data;
  if (alerts.length === 0) return null;
  const alone = alerts.filter(({ reachesNobodyThen }) => reachesNobodyThen);
  const shared = alerts.filter(({ reachesNobodyThen }) => !reachesNobodyThen);
  // While the replacement is loading, show the same notice as if no replacement were chosen.
  const isReplaced = replacement !== null && chosen.data?.isReached === true && !chosen.data.isPartner;
  const isKnownUnreached = replacement !== null && chosen.data?.isReached === false;
  return (
    <section className={classes.effects} aria-label="Affected rule alerts">
      {alone.length === 0 ? null : isReplaced ? (
        <div>
          {counted(alone.length, 'rule alert')} will notify {chosen.data?.name} instead:
          <Alerts alerts={alone} />
        </div>
      ) : (
        <div className={classes.notice} role="alert">
          <div>
            <b>
              {counted(alone.length, 'rule alert')} would {isKnownUnreached ? 'still' : 'then'} notify nobody:
            </b>
            <Alerts alerts={alone} />
          </div>
        </div>
      )}
      {shared.length > 0 ? (
        <div>
          {counted(shared.length, 'rule alert')} also {shared.length === 1 ? 'notifies' : 'notify'} others:
          <Alerts alerts={shared} />
        </div>
      ) : null}
      <KeyPicker
        label="Replace with"
        hint="Name of an active person"
        description="This person takes their place in every rule alert and action."
        source={userChoiceSource}
        without={people}
        clearable
        inside
        value={replacement}
        onChange={onReplacement}
        error={error}
      />
      {replacement === null ? null : (
        <>
          <PersonUnreached words={unreached?.get(replacement)} />
          {chosen.isError ? (
            <p role="alert">The sites of the replacement could not be loaded: {messageOf(chosen.error)}</p>
          ) : null}
          {chosen.data ? <NewAccess {...chosen.data} /> : null}
        </>
      )}
      {confirmation && alone.length > 0 && (replacement === null || isKnownUnreached) ? (
        <Checkbox
          label="Disable anyway and notify nobody"
          checked={confirmation.isConfirmed}
          onChange={(event) => confirmation.onConfirm(event.currentTarget.checked)}
        />
      ) : null}
    </section>
  );
}

/** Shows the sites to which the replacement will get access, or why this account cannot be a replacement. */
function NewAccess({ name, isPartner, newSites: { count, names } }: Replacement) {
  if (isPartner) return <p role="alert">{name} is a partner account and cannot open alarms. Choose a person.</p>;
  if (count === 0) return null;
  const more = count - names.length;
  return (
    <p className={classes.access} role="status">
      {name} gets access to {counted(count, 'site')}: {names.join(', ')}
      {more > 0 ? ` and ${more.toLocaleString()} more` : ''}.
    </p>
  );
}

function Alerts({
  alerts,
}: {
  alerts: readonly { ruleAlertUuid: string | null; ruleName: string | null; siteName: string | null }[];
}) {
  const more = alerts.length - MOST_SHOWN;
  return (
    <ul className={classes.list}>
      {alerts.slice(0, MOST_SHOWN).map(({ ruleAlertUuid, ruleName, siteName }) => (
        <li key={ruleAlertUuid}>
          {ruleName}, {siteName}
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString()} more</li> : null}
    </ul>
  );
}
