import { VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useFromNow } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import classes from './Shelve.module.css';
import { type ChosenTime, durationOptions, fieldValue, longestWords, UNTIL } from './shelve-time.ts';

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
  const earliest = useFromNow((now) => fieldValue(now, timeZone));
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
              onChange={() => onChange({ ...value, duration: option.value, until: value.until || earliest })}
            />
            {option.label}
          </label>
        ))}
      </div>
      {value.duration === UNTIL ? (
        <input
          className={classes.until}
          type="datetime-local"
          aria-label="End of the shelving"
          aria-invalid={error !== null}
          aria-describedby={`${name} hint`}
          min={earliest}
          value={value.until}
          onChange={(event) => onChange({ ...value, until: event.currentTarget.value })}
        />
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
