import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { TbCalendar } from 'react-icons/tb';
import { afterPress } from '../field/after-press.ts';
import { DayGrid } from './DayGrid.tsx';
import { isDay, readDay, readTime, writeDay } from './day-text.ts';

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A day such as 2026-11-17, or text that is not a day. */
  value?: string;
  onChange?: (value: string) => void;
}

/**
 * Field for a day, written as the user's locale writes it. A native field would follow the browser's language. Text
 * that is not a day stays in the field, so that the form can refuse it.
 */
export function DateField({ value = '', onChange, onBlur, ...rest }: DateFieldProps) {
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState(false);
  // Keeps the typed text while it means the same day.
  const text = (readDay(typed) ?? typed) === value ? typed : writeDay(value);
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder={writeDay('2026-11-17').replace('2026', 'yyyy').replace('11', 'mm').replace('17', 'dd')}
      {...rest}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next);
        onChange?.(readDay(next) ?? next);
      }}
      onBlur={(event) => {
        afterPress(() => setTyped(writeDay(value)));
        onBlur?.(event);
      }}
      rightSection={
        <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <ActionIcon variant="subtle" aria-label="Open calendar" onClick={() => setOpened(!opened)}>
              <TbCalendar size={16} strokeWidth={1.75} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown
            p="xs"
            aria-label="Calendar"
            // Escape closes only the calendar, not the dialog or panel around the field.
            onKeyDown={(event) => {
              if (event.key === 'Escape') event.stopPropagation();
            }}
          >
            <DayGrid
              value={isDay(value) ? value : null}
              onChoose={(day) => {
                setTyped('');
                onChange?.(day);
                setOpened(false);
              }}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}

/** Field for a time of day on the 24-hour clock. Text that is not a time stays in the field. */
export function TimeField({ value = '', onChange, onBlur, ...rest }: DateFieldProps) {
  const [typed, setTyped] = useState('');
  const text = (readTime(typed) ?? typed) === value ? typed : value;
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder="hh:mm"
      {...rest}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next);
        onChange?.(readTime(next) ?? next);
      }}
      onBlur={(event) => {
        afterPress(() => setTyped(value));
        onBlur?.(event);
      }}
    />
  );
}
