import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbPlus, TbX } from 'react-icons/tb';
import { weekdayNames } from '../../../../domain/maintenance/words.ts';
import type { LayerHours } from '../../../../domain/on-call/rota.ts';
import { weekdaysWords } from '../../../../domain/on-call/words.ts';
import { Segmented } from '../../../ui/Segmented.tsx';
import classes from './LayerPanel.module.css';

const kinds = [
  { value: 'always', label: 'Around the clock' },
  { value: 'hours', label: 'Only in these hours' },
] as const;

/** The first hours are nights on weekdays, the second ones whole weekends. */
const suggested: readonly LayerHours[] = [
  { weekdays: [1, 2, 3, 4, 5], from: '18:00', to: '08:00' },
  { weekdays: [6, 7], from: '00:00', to: '00:00' },
];

interface HoursFieldsProps {
  hasHours: boolean;
  hours: readonly LayerHours[];
  error: ReactNode;
  onKind: (hasHours: boolean) => void;
  onChange: (hours: LayerHours[]) => void;
}

/** The hours of a layer: weekdays with times, or all day. */
export function HoursFields({ hasHours, hours, error, onKind, onChange }: HoursFieldsProps) {
  const change = (index: number, next: Partial<LayerHours>) =>
    onChange(hours.map((range, other) => (other === index ? { ...range, ...next } : range)));
  return (
    <div className={classes.field}>
      <span className={classes.label}>Hours</span>
      <div>
        <Segmented
          label="Hours"
          options={kinds}
          value={hasHours ? 'hours' : 'always'}
          onChange={(kind) => {
            onKind(kind === 'hours');
            if (kind === 'hours' && hours.length === 0) onChange([...suggested]);
          }}
          wide
        />
      </div>
      {hasHours ? (
        <>
          {hours.map((range, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a range has no key, and rows are not reordered
            <fieldset key={index} className={classes.range}>
              <legend>{weekdaysWords(range.weekdays)}</legend>
              <div className={classes.weekdays}>
                {weekdayNames.map((name, day) => (
                  <label key={name} title={name}>
                    <input
                      type="checkbox"
                      aria-label={name}
                      checked={range.weekdays.includes(day + 1)}
                      onChange={(event) =>
                        change(index, {
                          weekdays: event.currentTarget.checked
                            ? [...range.weekdays, day + 1].toSorted((a, b) => a - b)
                            : range.weekdays.filter((other) => other !== day + 1),
                        })
                      }
                    />
                    <span aria-hidden>{name.slice(0, 2)}</span>
                  </label>
                ))}
                <ActionIcon
                  variant="subtle"
                  size="sm"
                  aria-label={`Remove ${weekdaysWords(range.weekdays)}`}
                  onClick={() => onChange(hours.filter((_, other) => other !== index))}
                >
                  <TbX size={12} strokeWidth={1.75} aria-hidden />
                </ActionIcon>
              </div>
              <div className={classes.times}>
                <Checkbox
                  label="All day"
                  checked={isAllDay(range)}
                  onChange={(event) =>
                    change(
                      index,
                      event.currentTarget.checked ? { from: '00:00', to: '00:00' } : { from: '18:00', to: '08:00' },
                    )
                  }
                />
                {isAllDay(range) ? null : (
                  <>
                    <TextInput
                      aria-label="From"
                      type="time"
                      value={range.from}
                      onChange={(event) => change(index, { from: event.currentTarget.value })}
                    />
                    <span>to</span>
                    <TextInput
                      aria-label="To"
                      type="time"
                      value={range.to}
                      onChange={(event) => change(index, { to: event.currentTarget.value })}
                    />
                  </>
                )}
              </div>
            </fieldset>
          ))}
          <Button
            variant="subtle"
            size="xs"
            className={classes.add}
            leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
            onClick={() => onChange([...hours, suggested[0] as LayerHours])}
          >
            Add hours
          </Button>
        </>
      ) : null}
      {error ? (
        <p className={classes.error} data-path="hours" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}

const isAllDay = ({ from, to }: LayerHours): boolean => from === '00:00' && to === '00:00';
