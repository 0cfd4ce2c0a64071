import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { weekdayNames } from '../../../../domain/maintenance/words.ts';
import { FieldPair } from '../../../kit/record/FieldPair.tsx';
import { RecordPanel } from '../../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { NEW } from '../../../kit/record/useRecordAddress.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { Segmented } from '../../../ui/Segmented.tsx';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { removeLayer, sendLayer } from '../change.queries.ts';
import { type ShownLayer, type ShownRota, timeZonesQuery } from '../on-call.queries.ts';
import { HoursFields } from './HoursFields.tsx';
import classes from './LayerPanel.module.css';
import { fieldsOf, type LayerFields, newLayer, problemsOf, valuesOf } from './layer-values.ts';
import { PeopleInTurn } from './PeopleInTurn.tsx';
import { TurnPreview } from './TurnPreview.tsx';

const labels: Record<keyof LayerFields, string> = {
  ...{ rotaName: 'Rota', name: 'Name', personUuids: 'People in turn', turn: 'Length of a turn', unit: 'Unit' },
  ...{ turnHours: 'Length', weekday: 'Handover on', firstDay: 'First turn from', handoverTime: 'At' },
  ...{ timeZone: 'Time zone', hasHours: 'Hours', hours: 'Hours' },
};

const turns = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'custom', label: 'Custom' },
] as const;
const weekdays = weekdayNames.map((label, index) => ({ value: String(index + 1), label }));

interface LayerPanelProps {
  /** Null to add a rota with its first layer. */
  rota: ShownRota | null;
  /** Null to add a layer. */
  layer: ShownLayer | null;
  onClose: () => void;
  /** Called with the rota after it was saved. */
  onSaved?: (rotaUuid: string) => void;
}

/** The panel that adds or edits a layer. */
export function LayerPanel({ rota, layer, onClose, onSaved }: LayerPanelProps) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const [opened] = useState(now);
  const stored = useRef('');
  const zones = useQuery(timeZonesQuery);
  const record = useRecordForm<LayerFields>({
    name: `rota layer ${layer?.uuid ?? `${rota?.uuid ?? ''} ${NEW}`}`,
    seen: {
      mark: undefined,
      values: layer
        ? fieldsOf(layer, opened.getTime())
        : newLayer(rota?.layers[0]?.timeZone ?? timeZone, opened.toISOString().slice(0, 10)),
    },
    validate: (values) => problemsOf(values, rota === null, now().getTime()),
    save: async (values) => {
      const uuid = await sendLayer(valuesOf(values, now().getTime()), {
        ...(layer && { uuid: layer.uuid }),
        ...(rota ? { rotaUuid: rota.uuid } : { rotaName: values.rotaName.trim() }),
      });
      stored.current = uuid;
      await client.invalidateQueries({ queryKey: ['on-call'] });
      toast.success(savedWords(values.name.trim(), !layer));
    },
  });
  const { form } = record;
  const values = form.getValues();
  const set = <F extends keyof LayerFields>(field: F, value: LayerFields[F]) =>
    form.setFieldValue(field, value as never);
  return (
    <RecordPanel
      title={layer?.name ?? (rota ? 'New layer' : 'New rota')}
      record={record}
      labels={labels}
      onClose={onClose}
      {...(onSaved && { onSaved: () => onSaved(stored.current) })}
      deletion={
        layer &&
        rota && {
          noun: 'rota_layer',
          needs: 'rota.plan',
          uuid: layer.uuid,
          name: layer.name,
          remove: () => removeLayer(layer.uuid),
        }
      }
    >
      {rota ? (
        layer ? (
          <p className={classes.place}>
            Layer {rota.layers.indexOf(layer) + 1} of {rota.layers.length}, {rota.name}
          </p>
        ) : null
      ) : (
        <TextInput
          label={labels.rotaName}
          placeholder="Pump stations"
          maxLength={200}
          {...form.getInputProps('rotaName')}
        />
      )}
      <TextInput
        label={rota ? labels.name : 'Name of the first layer'}
        placeholder="Primary"
        maxLength={200}
        {...form.getInputProps('name')}
      />
      <PeopleInTurn
        people={values.personUuids}
        preview={values}
        error={form.errors.personUuids}
        onChange={(people) => set('personUuids', people)}
      />
      <div className={classes.field}>
        <span className={classes.label}>{labels.turn}</span>
        <div>
          <Segmented
            label={labels.turn}
            options={turns}
            value={values.turn}
            onChange={(turn) => set('turn', turn)}
            wide
          />
        </div>
      </div>
      {values.turn === 'custom' ? (
        <>
          <FieldPair short>
            <TextInput
              label={labels.turnHours}
              inputMode="numeric"
              maxLength={4}
              {...form.getInputProps('turnHours')}
            />
            <NativeSelect label={labels.unit} data={['days', 'hours']} {...form.getInputProps('unit')} />
          </FieldPair>
          <FieldPair short>
            <TextInput label={labels.firstDay} type="date" {...form.getInputProps('firstDay')} />
            <TextInput label={labels.handoverTime} type="time" {...form.getInputProps('handoverTime')} />
          </FieldPair>
        </>
      ) : values.turn === 'week' ? (
        <FieldPair short>
          <NativeSelect label={labels.weekday} data={weekdays} {...form.getInputProps('weekday')} />
          <TextInput label={labels.handoverTime} type="time" {...form.getInputProps('handoverTime')} />
        </FieldPair>
      ) : (
        <TextInput label="Handover at" type="time" {...form.getInputProps('handoverTime')} />
      )}
      <NativeSelect
        label={labels.timeZone}
        data={[...new Set([values.timeZone, ...(zones.data ?? [])])]}
        {...form.getInputProps('timeZone')}
      />
      <HoursFields
        hasHours={values.hasHours}
        hours={values.hours}
        error={form.errors.hours}
        onKind={(hasHours) => set('hasHours', hasHours)}
        onChange={(hours) => set('hours', hours)}
      />
      <TurnPreview fields={values} />
    </RecordPanel>
  );
}
