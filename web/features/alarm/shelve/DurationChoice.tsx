import { VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import { DateField, TimeField } from '../../../ui/date/DateField.tsx';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import classes from './Shelve.module.css';
import { type ChosenTime, durationOptions, longestWords, suggestedEnd, UNTIL } from './shelve-time.ts';

interface DurationChoiceProps {
  label: string;
  value: ChosenTime;
  longestHours: number;
  /** Error message for the chosen time; null if the time is valid. */
  error: string | null;
  onChange: (value: ChosenTime) => void;
}

/** Lets the user choose a duration, or the date and time at which the shelving ends. */
export function DurationChoice({ label, value, longestHours, error, onChange }: DurationChoiceProps) {
  const name = useId();
  const timeZone = useTimeZone();
  const [[day = '', clock = ''], setFields] = useState(() => value.until.split('T'));
  const setEnd = (fields: [string, string]) => {
    setFields(fields);
    onChange({ duration: UNTIL, until: fields.join('T') });
  };
  return (
    <fieldset className={classes.field}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.durations}>
        {durationOptions(longestHours).map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value.duration}
              onChange={() => {
                if (option.value !== UNTIL) onChange({ ...value, duration: option.value });
                else setEnd(day === '' && clock === '' ? suggestedEnd(now(), timeZone) : [day, clock]);
              }}
            />
            {option.label}
          </label>
        ))}
      </div>
      {value.duration === UNTIL ? (
        <div className={classes.until}>
          <DateField
            label="End day"
            aria-describedby={`${name} hint`}
            error={error !== null}
            value={day}
            onChange={(next) => setEnd([next, clock])}
          />
          <TimeField
            label="End time"
            aria-describedby={`${name} hint`}
            error={error !== null}
            value={clock}
            onChange={(next) => setEnd([day, next])}
          />
        </div>
      ) : null}
      <p
        className={error === null ? classes.hint : classes.error}
        id={`${name} hint`}
        role={error ? 'alert' : undefined}
      >
        {error ?? (
          <>
            At most {longestWords(longestHours)}.<VisuallyHidden> Times are in {timeZone}.</VisuallyHidden>
          </>
        )}
      </p>
    </fieldset>
  );
}
