import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IconType } from 'react-icons';
import { TbAlertCircle, TbBrandWhatsapp, TbDeviceMobile, TbMail, TbMessage } from 'react-icons/tb';
import { METHOD, methodTitle } from '../../../../domain/notification/methods.ts';
import { timeOfClock } from '../../../../domain/on-call/local.ts';
import { spanWords } from '../../../../domain/on-call/words.ts';
import { localTime } from '../../../../domain/week.ts';
import { messageOf } from '../../../api/http.ts';
import { counted } from '../../../kit/format/number.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { now } from '../../../ui/time/clock.ts';
import { formatDate, formatTime } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { type Rehearsed, rehearsalQuery } from './plan.queries.ts';
import { type PlanValues, rehearsalSteps } from './plan-form.ts';
import classes from './Rehearsal.module.css';
import { type PersonLine, shapeOf } from './rehearsal-shape.ts';

const icons: Readonly<Record<number, IconType>> = {
  [METHOD.email]: TbMail,
  [METHOD.whatsapp]: TbBrandWhatsapp,
  [METHOD.sms]: TbMessage,
  [METHOD.push]: TbDeviceMobile,
};

const two = (number: number) => String(number).padStart(2, '0');

function fieldsOf(at: Date, timeZone: string): { day: string; time: string } {
  const { year, month, day, hour, minute } = localTime(at, timeZone);
  return { day: `${year}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` };
}

/** Shows who would be notified at a date and time if nobody acknowledged the alarm, by the plan as it is edited. */
export function Rehearsal({ values }: { values: PlanValues }) {
  const timeZone = useTimeZone();
  const [{ day, time }, setFields] = useState(() => fieldsOf(now(), timeZone));
  const clock = Date.parse(`${day}T${time}:00Z`);
  const at = Number.isNaN(clock) ? null : timeOfClock(clock, timeZone);
  const steps = rehearsalSteps(values);
  const result = useQuery(rehearsalQuery(steps, at === null ? null : new Date(at).toISOString()));
  const title =
    at === null
      ? 'Who would be notified'
      : `Who would be notified on ${formatDate(new Date(at), timeZone, { weekday: true, year: false })} at ${formatTime(new Date(at), timeZone)}`;
  return (
    <section className={classes.card} aria-label="Rehearsal">
      <div className={classes.head}>
        <h2>{title}</h2>
        <TextInput
          type="date"
          aria-label="Date"
          value={day}
          error={at === null ? 'Enter a date and a time.' : undefined}
          onChange={(event) => setFields({ day: event.currentTarget.value, time })}
        />
        <TextInput
          type="time"
          aria-label="Time"
          value={time}
          onChange={(event) => setFields({ day, time: event.currentTarget.value })}
        />
        <Button variant="subtle" onClick={() => setFields(fieldsOf(now(), timeZone))}>
          Now
        </Button>
      </div>
      {steps === null ? (
        <EmptyState title="No rehearsal">Correct the steps first.</EmptyState>
      ) : result.isError ? (
        <ErrorState title="The rehearsal could not be loaded" onRetry={() => void result.refetch()}>
          {messageOf(result.error)}
        </ErrorState>
      ) : result.data ? (
        <Result rehearsed={result.data} timeZone={timeZone} />
      ) : (
        <div className={classes.waiting} role="status" aria-label="Loading">
          <Skeleton width="40%" />
        </div>
      )}
    </section>
  );
}

function Result({ rehearsed, timeZone }: { rehearsed: Rehearsed; timeZone: string }) {
  const { people, spans, messages, last, methods } = shapeOf(rehearsed);
  const start = Date.parse(rehearsed.at);
  const timeOf = (at: number) => formatTime(new Date(at), timeZone);
  const percent = (place: number) => `${(place * 100).toFixed(2)}%`;
  return (
    <>
      {people.length === 0 ? (
        <EmptyState title="Nobody would be notified">Add a person, or close the gap in the rota.</EmptyState>
      ) : (
        <div className={classes.grid}>
          <div className={classes.line} data-head>
            <span />
            <span className={classes.track}>
              {spans.map(({ step, at, from, until }) => (
                <span key={step} className={classes.span} style={{ left: percent(from), width: percent(until - from) }}>
                  <b>Step {step}</b> {at === start ? 'at once' : `after ${spanWords(at - start)}`}
                </span>
              ))}
            </span>
            <span className={classes.sum}>Messages</span>
          </div>
          <ul>
            {people.map((person) => (
              <li key={person.uuid} className={classes.line}>
                <Name person={person} />
                <span className={classes.track}>
                  {person.marks.map(({ at, place, methods: used }) => (
                    <span
                      key={at}
                      className={classes.mark}
                      style={{ left: percent(place) }}
                      role="img"
                      aria-label={`${used.map(methodTitle).join(' and ')} at ${timeOf(at)}`}
                      title={`${used.map(methodTitle).join(' and ')} at ${timeOf(at)}`}
                    >
                      {used.map((method) => {
                        const Icon = icons[method] ?? TbMail;
                        return <Icon key={method} size={14} strokeWidth={1.75} aria-hidden />;
                      })}
                    </span>
                  ))}
                </span>
                <span className={classes.sum}>{person.messages}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <dl className={classes.sums}>
        <div>
          <dt>If nobody acknowledges</dt>
          <dd>
            <b>{messages}</b> {messages === 1 ? 'message' : 'messages'} to {counted(people.length, 'person', 'people')}
          </dd>
          <dd>{messages === 0 ? '' : `last at ${timeOf(last)}, ${spanWords(last - start)} after opening`}</dd>
        </div>
        <div>
          <dt>By method</dt>
          <dd>
            {methods.length === 0
              ? 'None'
              : methods.map(({ method, messages: count }) => `${count} ${methodTitle(method)}`).join(', ')}
          </dd>
        </div>
        <div>
          <dt>Nobody on call</dt>
          <dd>{rehearsed.gaps.length === 0 ? 'No gaps' : null}</dd>
          {rehearsed.gaps.map(({ at, step, onCallFor, isSkipped }) => (
            <dd key={`${step} ${at} ${onCallFor}`} className={classes.gap}>
              {onCallFor} at {timeOf(Date.parse(at))}
              {isSkipped ? `: step ${step + 1} begins at once` : ''}
            </dd>
          ))}
        </div>
      </dl>
    </>
  );
}

function Name({ person: { name, because, problems } }: { person: PersonLine }) {
  return (
    <span className={classes.name}>
      <Avatar name={name} />
      <span>
        <b>{name}</b>
        {problems.length === 0 ? (
          <small>{because}</small>
        ) : (
          <small className={classes.problem}>
            <TbAlertCircle size={14} strokeWidth={1.75} aria-hidden /> {problems.join(' ')}
          </small>
        )}
      </span>
    </span>
  );
}
