import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { userChoiceSource } from '../../kit/choices/choices.queries.ts';
import { counted } from '../../kit/format/number.ts';
import { KeyPicker } from '../../kit/record/Picker.tsx';
import { alertsOfPeopleQuery } from './reach.queries.ts';
import classes from './Unreached.module.css';

interface DisableEffectsProps {
  /** Those who are about to be disabled. */
  people: readonly string[];
  replacement: string | null;
  onReplacement: (uuid: string | null) => void;
  /** What the server says about the replacement. */
  error?: string | undefined;
}

const MOST_SHOWN = 12;

/** Which rule alerts name people who are about to be disabled, which would reach nobody, and who takes their place. */
export function DisableEffects({ people, replacement, onReplacement, error }: DisableEffectsProps) {
  const found = useQuery(alertsOfPeopleQuery(people));
  if (found.isError) return <p role="alert">{messageOf(found.error)}</p>;
  const alerts = found.data ?? [];
  if (alerts.length === 0) return null;
  const alone = alerts.filter(({ reachesNobodyThen }) => reachesNobodyThen);
  const shared = alerts.filter(({ reachesNobodyThen }) => !reachesNobodyThen);
  return (
    <section aria-label="Rule alerts that name them">
      {alone.length > 0 ? (
        <div className={classes.notice} role="alert">
          <div>
            <b>
              {counted(alone.length, 'rule alert')} would then notify nobody
              {replacement ? ' without the replacement' : ''}:
            </b>
            <Alerts alerts={alone} />
          </div>
        </div>
      ) : null}
      {shared.length > 0 ? (
        <div>
          {counted(shared.length, 'rule alert')} {shared.length === 1 ? 'notifies' : 'notify'} others as well:
          <Alerts alerts={shared} />
        </div>
      ) : null}
      <KeyPicker
        label="Replace with"
        hint="Name of an active person"
        description="Takes their place in every rule alert and action."
        source={userChoiceSource}
        without={people}
        clearable
        inside
        value={replacement}
        onChange={onReplacement}
        error={error}
      />
    </section>
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
