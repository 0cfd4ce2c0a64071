import { NativeSelect, TextInput } from '@mantine/core';
import { MOST_REPEATED_DAYS } from '../../../domain/maintenance/refusals.ts';
import { ordinalOf, weekdayNames } from '../../../domain/maintenance/words.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import type { WindowValues } from './window-values.ts';

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
  inputProps: (field: keyof WindowValues) => object;
}

/** Form fields for when a window takes place. Which fields are shown depends on how the window repeats. */
export function RecurrenceFields({ values, inputProps }: RecurrenceFieldsProps) {
  const { repeats } = values;
  const isOnce = repeats === 'once';
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
            <TextInput label="Start" type="date" {...inputProps('firstDay')} />
            <TextInput label="From" type="time" {...inputProps('fromTime')} />
          </FieldPair>
          <FieldPair short>
            <TextInput label="End" type="date" {...inputProps('endDay')} />
            <TextInput label="To" type="time" {...inputProps('toTime')} />
          </FieldPair>
        </>
      ) : (
        <>
          <FieldPair short>
            <TextInput label="From" type="time" {...inputProps('fromTime')} />
            <TextInput label="To" type="time" {...inputProps('toTime')} />
          </FieldPair>
          <NativeSelect label="Ends" data={endOptions} {...inputProps('days')} />
          <FieldPair short>
            <TextInput label="First day" type="date" {...inputProps('firstDay')} />
            <TextInput label="Last day (optional)" type="date" {...inputProps('lastDay')} />
          </FieldPair>
        </>
      )}
    </>
  );
}
