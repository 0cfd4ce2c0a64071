import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { TbArrowDown, TbArrowUp, TbGripVertical, TbX } from 'react-icons/tb';
import { startOfTurn, turnAt } from '../../../../domain/on-call/turns.ts';
import { AddPicker } from '../../../kit/record/AddPicker.tsx';
import type { Option } from '../../../kit/record/Picker.tsx';
import { Avatar } from '../../../ui/Avatar.tsx';
import { now } from '../../../ui/time/clock.ts';
import { onCallPeopleSource } from '../on-call.queries.ts';
import { atWords, daysWords } from '../words.ts';
import classes from './LayerPanel.module.css';
import { type LayerFields, previewOf } from './layer-values.ts';

interface PeopleInTurnProps {
  people: readonly Option[];
  preview: LayerFields;
  error: ReactNode;
  onChange: (people: Option[]) => void;
}

/** The people of a layer in the order of their turns. Rows are moved by dragging, by buttons or by Alt and arrow keys. */
export function PeopleInTurn({ people, preview, error, onChange }: PeopleInTurnProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    if (to < 0 || to >= people.length || from === to) return;
    const next = [...people];
    const [person] = next.splice(from, 1);
    next.splice(to, 0, person as Option);
    onChange(next);
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1));
  };
  const times = timesOfTurns(preview);
  return (
    <div className={classes.field}>
      <span className={classes.label}>
        People in turn <span>{people.length}</span>
      </span>
      {people.length > 0 ? (
        <ol className={classes.turns} aria-label="People in turn">
          {people.map(({ value, label }, index) => (
            <li
              key={value}
              draggable
              data-dragged={index === dragged || undefined}
              onDragStart={() => setDragged(index)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => {
                event.preventDefault();
                if (dragged === null || dragged === index) return;
                move(dragged, index);
                setDragged(index);
              }}
              onKeyDown={(event) => onKey(event, index)}
            >
              <TbGripVertical size={16} strokeWidth={1.75} aria-hidden />
              <span className={classes.number}>{index + 1}</span>
              <Avatar name={label} size={20} />
              <span className={classes.name}>{label}</span>
              <span className={classes.when}>{times[index]}</span>
              <span className={classes.moves}>
                <ActionIcon
                  variant="subtle"
                  size="sm"
                  aria-label={`Move ${label} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <TbArrowUp size={12} strokeWidth={1.75} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  size="sm"
                  aria-label={`Move ${label} down`}
                  disabled={index === people.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <TbArrowDown size={12} strokeWidth={1.75} aria-hidden />
                </ActionIcon>
              </span>
              <ActionIcon
                variant="subtle"
                size="sm"
                aria-label={`Remove ${label}`}
                onClick={() => onChange(people.filter((_, other) => other !== index))}
              >
                <TbX size={12} strokeWidth={1.75} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ol>
      ) : null}
      <div data-path="personUuids">
        <AddPicker
          label="Add person"
          inField
          source={onCallPeopleSource}
          taken={people.map(({ value }) => value)}
          onAdd={(person) => onChange([...people, person])}
          error={error}
        />
      </div>
    </div>
  );
}

/** Returns when each person has their present or next turn; nothing while the fields have a problem. */
function timesOfTurns(fields: LayerFields): string[] {
  const at = now().getTime();
  const layer = previewOf(fields, at);
  if (layer === null) return [];
  const present = turnAt(layer, at);
  const count = layer.people.length;
  return layer.people.map((_, index) => {
    const turn = present + ((((index - present) % count) + count) % count);
    const period = { startsAt: startOfTurn(layer, turn), endsAt: startOfTurn(layer, turn + 1) };
    return turn === present
      ? `until ${atWords(period.endsAt, layer.timeZone).replace(/ \d\d:\d\d$/, '')}`
      : daysWords(period, layer.timeZone).replaceAll(/\p{L}+ (?=\d)/gu, '');
  });
}
