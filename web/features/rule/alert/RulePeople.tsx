import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TbPencil, TbPlus } from 'react-icons/tb';
import { timesWords } from '../../../../domain/plural.ts';
import { messageOf } from '../../../api/http.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { PersonUnreached, UnreachedRules, useUnreachedPeople } from '../../notification/index.ts';
import classes from '../RuleEditor.module.css';
import { notEscalated } from '../rule-words.ts';
import { CannotOpen, useAlarmReaders } from './AlertPeople.tsx';
import { type AlertPerson, alertOfRuleQuery, type RuleAlertRecord } from './rule-alert.queries.ts';
import { fromRule } from './useReturnToRule.ts';

interface RulePeopleProps {
  siteUuid: string | undefined;
  /** Stored name of the rule, to which rule alerts refer. */
  name: string;
}

/** Shows who is notified when the rule opens an alarm, how it escalates, and the reasons for acknowledging it. */
export function RulePeople({ siteUuid, name }: RulePeopleProps) {
  const alert = useQuery(alertOfRuleQuery(siteUuid, name));
  const known = siteUuid !== undefined && name !== '';
  return (
    <section className={classes.card} aria-label="People and escalation">
      <div className={classes.cardHead}>
        <h2>People and escalation</h2>
        {known && !alert.isPending ? (
          <Button
            component={Link}
            to="/admin/rules"
            search={
              (alert.data
                ? { tab: 'alerts', record: alert.data.uuid }
                : { tab: 'alerts', record: 'new', site: siteUuid, rule: name }) as never
            }
            state={fromRule}
            variant="subtle"
            leftSection={alert.data ? <TbPencil size={14} aria-hidden /> : <TbPlus size={14} aria-hidden />}
          >
            {alert.data ? 'Edit' : 'Add people'}
          </Button>
        ) : null}
      </div>
      {known ? <UnreachedRules siteUuid={siteUuid} ruleName={name} /> : null}
      {!known ? (
        <EmptyState title="Save the rule first">Then you can choose who is notified.</EmptyState>
      ) : alert.isPending ? (
        <div className={classes.waiting}>
          <Skeleton width="50%" />
        </div>
      ) : alert.isError ? (
        <ErrorState title="The recipients could not be loaded" onRetry={() => void alert.refetch()}>
          {messageOf(alert.error)}
        </ErrorState>
      ) : alert.data ? (
        <People alert={alert.data} siteUuid={siteUuid} />
      ) : (
        <EmptyState title="Nobody is notified yet">Add a rule alert to choose who is notified.</EmptyState>
      )}
    </section>
  );
}

function People({ alert, siteUuid }: { alert: RuleAlertRecord; siteUuid: string }) {
  const people = [...alert.people, ...alert.escalates].map((person) => ({ userUuid: person.tocsinUserUuid }));
  const access = useAlarmReaders(siteUuid, people);
  const unreached = useUnreachedPeople(people.map(({ userUuid }) => userUuid));
  const warningOf = (person: { tocsinUserUuid: string; personName: string | null }) => (
    <>
      <CannotOpen
        person={{ userUuid: person.tocsinUserUuid, name: person.personName ?? '' }}
        access={access?.get(person.tocsinUserUuid)}
        siteUuid={siteUuid}
      />
      <PersonUnreached words={unreached?.get(person.tocsinUserUuid)} />
    </>
  );
  return (
    <div className={classes.people}>
      <div>
        <h3>At once</h3>
        {alert.people.length === 0 ? <p className={classes.hint}>Nobody</p> : null}
        {alert.people.map((person) => (
          <Person
            key={person.uuid}
            name={person.personName ?? ''}
            note={flagWords(person)}
            warning={warningOf(person)}
          />
        ))}
      </div>
      <div>
        {alert.indAck ? (
          <>
            <h3>After {alert.escalateMinutes} min without acknowledgement</h3>
            {alert.escalates.length === 0 ? <p className={classes.hint}>Nobody</p> : null}
            {alert.escalates.map((person) => (
              <Person key={person.uuid} name={person.personName ?? ''} note="" warning={warningOf(person)} />
            ))}
          </>
        ) : (
          <>
            <h3>Escalation</h3>
            <p className={classes.hint}>{notEscalated}</p>
          </>
        )}
      </div>
      <div>
        {alert.indAck ? (
          <>
            <h3>Repeats</h3>
            <p>
              every <b>{alert.escalateIntervalMinutes} min</b>, at most {timesWords(alert.escalateCount)}
            </p>
            <p className={classes.hint}>
              Stops when the alarm is acknowledged or resolved. Everybody notified by then is also notified of the
              resolution.
            </p>
          </>
        ) : null}
        <h3>Acknowledging</h3>
        <p>
          {alert.indAck ? 'Required' : 'Not required'}
          {alert.reasons.length === 0 ? ', with free text' : ''}
        </p>
        <p className={classes.hint}>{alert.reasons.map(({ reason }) => reason).join(', ')}</p>
      </div>
    </div>
  );
}

function Person({ name, note, warning }: { name: string; note: string; warning: ReactNode }) {
  return (
    <div className={classes.person}>
      <Avatar name={name} />
      <span>{name}</span>
      <span className={classes.note}>{note}</span>
      {warning}
    </div>
  );
}

export function flagWords({ isAlert, isResolve, isHealth }: Pick<AlertPerson, 'isAlert' | 'isResolve' | 'isHealth'>) {
  const words = [...(isAlert ? ['opens'] : []), ...(isResolve ? ['resolves'] : []), ...(isHealth ? ['silent'] : [])];
  return words.join(', ') || 'never';
}
