import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { MOST_REPEATED_DAYS } from '../../../domain/maintenance/refusals.ts';
import { ordinalOf, weekdayNames } from '../../../domain/maintenance/words.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { DateField, TimeField } from '../../ui/date/DateField.tsx';
import classes from './WindowForm.module.css';
import { lengthOf, type WindowValues } from './window-values.ts';

const repeatOptions = [
  { value: 'once', label: 'Does not repeat' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly-day', label: 'Monthly, on a day of the month' },
  { value: 'monthly-weekday', label: 'Monthly, on a weekday' },
];
const weekdayOptions = weekdayNames.map((label, index) => ({ value: String(index + 1), label }));
const weekOptions = [1, 2, 3, 4, 5].map((week) => {
  const label = ordinalOf(week);
  return { value: String(week), label: `${label.charAt(0).toUpperCase()}${label.slice(1)}` };
});
const endOptions = Array.from({ length: MOST_REPEATED_DAYS + 1 }, (_, days) => ({
  value: String(days),
  label: days === 0 ? 'On the same day' : days === 1 ? 'On the next day' : `${days} days later`,
}));

interface RecurrenceFieldsProps {
  values: WindowValues;
  inputProps: (field: keyof WindowValues) => { error?: ReactNode };
}

/** Form fields for when a window takes place. Which fields are shown depends on how the window repeats. */
export function RecurrenceFields({ values, inputProps }: RecurrenceFieldsProps) {
  const { repeats } = values;
  const isOnce = repeats === 'once';
  const errorId = useId();
  const length = <span className={classes.length}>{lengthOf(values)}</span>;
  const { error, ...toTime } = inputProps('toTime');
  // The error is below both fields, because an overlap needs the whole width.
  const end = (
    <TimeField
      label="To"
      rightSection={length}
      rightSectionWidth={88}
      {...toTime}
      error={Boolean(error)}
      aria-describedby={error ? errorId : undefined}
    />
  );
  const endError = error ? (
    <p className={classes.error} id={errorId} role="alert">
      {error}
    </p>
  ) : null;
  return (
    <>
      <NativeSelect label="Repeats" data={repeatOptions} {...inputProps('repeats')} />
      {repeats === 'weekly' ? (
        <NativeSelect label="Weekday" data={weekdayOptions} {...inputProps('weekday')} />
      ) : repeats === 'monthly-weekday' ? (
        <FieldPair short>
          <NativeSelect label="Week" data={weekOptions} {...inputProps('week')} />
          <NativeSelect label="Weekday" data={weekdayOptions} {...inputProps('weekday')} />
        </FieldPair>
      ) : repeats === 'monthly-day' ? (
        <TextInput label="Day of the month" inputMode="numeric" maxLength={2} {...inputProps('dayOfMonth')} />
      ) : null}
      {isOnce ? (
        <>
          <FieldPair short>
            <DateField label="Start" {...inputProps('firstDay')} />
            <TimeField label="From" {...inputProps('fromTime')} />
          </FieldPair>
          <FieldPair short>
            <DateField label="End" {...inputProps('endDay')} />
            {end}
          </FieldPair>
          {endError}
        </>
      ) : (
        <>
          <FieldPair short>
            <TimeField label="From" {...inputProps('fromTime')} />
            {end}
          </FieldPair>
          {endError}
          <NativeSelect label="Ends" data={endOptions} {...inputProps('days')} />
          <FieldPair short>
            <DateField label="First day" {...inputProps('firstDay')} />
            <DateField label="Last day (optional)" {...inputProps('lastDay')} />
          </FieldPair>
        </>
      )}
    </>
  );
}
