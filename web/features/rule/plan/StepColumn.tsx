import { Button, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbCalendarClock, TbTrash } from 'react-icons/tb';
import { plural } from '../../../../domain/plural.ts';
import { AddPicker } from '../../../kit/record/AddPicker.tsx';
import { Avatar } from '../../../ui/Avatar.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { formatTime } from '../../../ui/time/format.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { PersonUnreached, useUnreachedPeople } from '../../notification/index.ts';
import { Remove } from '../alert/AlertPeople.tsx';
import { numberOf } from '../rule-form.ts';
import classes from './PlanPage.module.css';
import { type LayerNow, layersNowQuery, recipientSource } from './plan.queries.ts';
import type { StepProblems, StepRow } from './plan-form.ts';

interface StepColumnProps {
  /** Counted from 1. */
  number: number;
  step: StepRow;
  problems: StepProblems;
  onChange: (next: StepRow) => void;
  /** Undefined for the first step, which every plan has. */
  onRemove: (() => void) | undefined;
}

/** One step of the plan: when it begins, whom it notifies and how often it repeats. */
export function StepColumn({ number, step, problems, onChange, onRemove }: StepColumnProps) {
  const layers = useQuery(layersNowQuery).data;
  const nowWords = useNowWords();
  const unreached = useUnreachedPeople(step.people.map(({ uuid }) => uuid));
  const unit = <span className={classes.unit}>min</span>;
  return (
    <section className={classes.step} aria-label={`Step ${number}`}>
      <div className={classes.stepHead}>
        <span className={classes.number}>{number}</span>
        {number === 1 ? (
          <span>
            <b>At once</b> when the alarm opens
          </span>
        ) : (
          <>
            <b>After</b>
            <NumberField
              aria-label={`Step ${number}: wait in minutes`}
              className={classes.short}
              least={1}
              rightSection={unit}
              rightSectionWidth={40}
              value={step.wait}
              error={problems.wait}
              onChange={(wait) => onChange({ ...step, wait })}
            />
            <span>{number > 2 ? 'more without acknowledgement' : 'without acknowledgement'}</span>
          </>
        )}
      </div>
      <ul className={classes.recipients}>
        {step.layers.map((layer) => (
          <li key={layer.uuid}>
            <span className={classes.rota}>
              <TbCalendarClock size={14} strokeWidth={1.75} aria-hidden />
            </span>
            <span className={classes.recipient}>
              <b>{layer.name}</b> <small>{nowWords(layers?.find(({ uuid }) => uuid === layer.uuid))}</small>
            </span>
            <Remove
              name={`${layer.name} from step ${number}`}
              onClick={() => onChange({ ...step, layers: step.layers.filter((known) => known !== layer) })}
            />
          </li>
        ))}
        {step.people.map((person) => (
          <li key={person.uuid}>
            <Avatar name={person.name} size={22} />
            <span className={classes.recipient}>
              <b>{person.name}</b>
            </span>
            <Remove
              name={`${person.name} from step ${number}`}
              onClick={() => onChange({ ...step, people: step.people.filter((known) => known !== person) })}
            />
            <PersonUnreached words={unreached?.get(person.uuid)} />
          </li>
        ))}
      </ul>
      <AddPicker
        label="Add person or rota"
        inField
        source={recipientSource}
        taken={[...step.people.map(({ uuid }) => uuid), ...step.layers.map(({ uuid }) => `rota ${uuid}`)]}
        onAdd={({ value, label }) => {
          const [, layer] = /^rota (.+)$/.exec(value) ?? [];
          if (layer) onChange({ ...step, layers: [...step.layers, { uuid: layer, name: label }] });
          else onChange({ ...step, people: [...step.people, { uuid: value, name: label }] });
        }}
      />
      {problems.recipients ? <Input.Error role="alert">{problems.recipients}</Input.Error> : null}
      <h3>Repeat</h3>
      <div className={classes.repeat}>
        <NumberField
          aria-label={`Step ${number}: repeats`}
          className={classes.count}
          least={0}
          value={step.repeats}
          error={problems.repeats}
          onChange={(repeats) => onChange({ ...step, repeats })}
        />
        <span>{plural(numberOf(step.repeats) ?? 0, 'time')}, every</span>
        <NumberField
          aria-label={`Step ${number}: minutes between repeats`}
          className={classes.short}
          least={1}
          rightSection={unit}
          rightSectionWidth={40}
          value={step.every}
          error={problems.every}
          onChange={(every) => onChange({ ...step, every })}
        />
      </div>
      {onRemove ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.remove}
          leftSection={<TbTrash size={14} strokeWidth={1.75} aria-hidden />}
          onClick={onRemove}
        >
          Remove step {number}
        </Button>
      ) : null}
    </section>
  );
}

function useNowWords() {
  const timeZone = useTimeZone();
  return (layer: LayerNow | undefined) => {
    if (!layer) return '';
    if (layer.personName) return `now ${layer.personName}`;
    const until = layer.until ? ` until ${formatTime(new Date(layer.until), timeZone)}` : '';
    return layer.state === 'gap' ? `nobody${until}` : `off${until}`;
  };
}
