import { Radio, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { assetChoiceSource, siteChoiceSource } from '../../kit/choices/choices.queries.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { Picker } from '../../kit/record/Picker.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { type Seen, useRecordForm } from '../../kit/record/useRecordForm.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { PanelBody, PanelFrame, PanelHead } from '../../ui/SidePanel.tsx';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { sensorSource } from '../sensor/index.ts';
import { fetchWindow, removeWindow, sendWindow, type WindowRow, windowQuery } from './maintenance.queries.ts';
import { RecurrenceFields } from './RecurrenceFields.tsx';
import { RecurrenceSummary } from './RecurrenceSummary.tsx';
import classes from './WindowForm.module.css';
import { inputOf, newWindow, problemsOf, valuesOf, type WindowValues } from './window-values.ts';
import { placeWords, type Scope, scopeLabels, suppressions } from './window-words.ts';

interface WindowFormProps {
  /** The window's uuid, or 'new'. */
  id: string;
  onClose: () => void;
}

export function WindowForm({ id, onClose }: WindowFormProps) {
  const timeZone = useTimeZone();
  if (id === NEW) {
    const seen = { mark: undefined, values: newWindow(now(), timeZone) };
    return <WindowPanel key={NEW} window={null} seen={seen} onClose={onClose} />;
  }
  return (
    <LoadedPanel key={id} noun="Maintenance window" query={windowQuery(id)} onClose={onClose}>
      {(window) => {
        const seen = seenWindow(window);
        return seen ? (
          <WindowPanel window={window} seen={seen} onClose={onClose} />
        ) : (
          <FixedWindow window={window} onClose={onClose} />
        );
      }}
    </LoadedPanel>
  );
}

/** Shown for a window that cannot be changed: it has ended, or it exists because of a sensor's status. */
function FixedWindow({ window, onClose }: { window: WindowRow; onClose: () => void }) {
  return (
    <PanelFrame title={window.name}>
      <PanelHead title={window.name} onClose={onClose} />
      <PanelBody>
        {window.endedAt === null ? (
          <EmptyState title={placeWords(window)}>
            {window.userName} put the sensor into maintenance. Its readings are stored, but change no alarm, and nobody
            is notified. The window ends when the sensor is set to active.
          </EmptyState>
        ) : (
          <EmptyState title="This window has ended">Add a new window for more work.</EmptyState>
        )}
      </PanelBody>
    </PanelFrame>
  );
}

const labels: Record<keyof WindowValues, string> = {
  ...{ name: 'Name', scope: 'Scope', targetUuid: 'Site, asset or sensor', suppresses: 'Suppress', repeats: 'Repeats' },
  ...{ firstDay: 'First day', endDay: 'End', lastDay: 'Last day', fromTime: 'From', toTime: 'To', days: 'Ends' },
  ...{ weekday: 'Weekday', week: 'Week', dayOfMonth: 'Day of the month' },
};

const sources = { site: siteChoiceSource, asset: assetChoiceSource, sensor: sensorSource };

interface WindowPanelProps {
  window: WindowRow | null;
  seen: Seen<WindowValues>;
  onClose: () => void;
}

/** Returns the values of a window; null if the window cannot be changed. */
function seenWindow(window: WindowRow): Seen<WindowValues> | null {
  const values = window.endedAt === null ? valuesOf(window) : null;
  return values && { mark: window.updatedAt, values };
}

function WindowPanel({ window, seen, onClose }: WindowPanelProps) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const record = useRecordForm<WindowValues>({
    name: `maintenance ${window?.uuid ?? NEW}`,
    seen,
    validate: (values) => problemsOf(values, timeZone, now().getTime()),
    save: async (values, mark) => {
      await sendWindow({ ...inputOf(values, window?.uuid), ...(mark !== undefined && { seen: mark }) });
      await client.invalidateQueries({ queryKey: ['maintenance'] });
      await client.invalidateQueries({ queryKey: ['alarm'] });
      toast.success(savedWords(values.name.trim(), !window));
    },
    ...(window && {
      reload: async () => {
        const current = await fetchWindow(window.uuid);
        return current && seenWindow(current);
      },
    }),
  });
  const { form } = record;
  const values = form.getValues();
  const setScope = (scope: Scope) => {
    form.setFieldValue('scope', scope as never);
    form.setFieldValue('targetUuid', null as never);
  };
  return (
    <RecordPanel
      title={window ? 'Edit window' : 'New window'}
      record={record}
      labels={labels}
      onClose={onClose}
      saveLabel="Save window"
      deletion={
        window && {
          noun: 'maintenance_window',
          needs: 'maintenance.plan',
          uuid: window.uuid,
          name: window.name,
          remove: () => removeWindow(window.uuid),
        }
      }
    >
      <TextInput label={labels.name} maxLength={200} {...form.getInputProps('name')} />
      {window ? (
        <div className={classes.fixed}>
          <b>{scopeLabels[values.scope]}</b>
          <span>{placeWords(window)}</span>
        </div>
      ) : (
        <div className={classes.scope}>
          <Segmented
            label={labels.scope}
            options={(Object.keys(scopeLabels) as Scope[]).map((value) => ({ value, label: scopeLabels[value] }))}
            value={values.scope}
            onChange={setScope}
            wide
          />
          <Picker
            key={values.scope}
            label={scopeLabels[values.scope]}
            source={sources[values.scope]}
            value={values.targetUuid}
            onChange={(target) => form.setFieldValue('targetUuid', target as never)}
            error={form.errors.targetUuid}
            path="targetUuid"
            {...record.needed('targetUuid')}
          />
        </div>
      )}
      <RecurrenceFields values={values} inputProps={(field) => form.getInputProps(field)} />
      <RecurrenceSummary uuid={window?.uuid} values={values} timeZone={timeZone} />
      <Radio.Group label={labels.suppresses} {...form.getInputProps('suppresses')}>
        <div className={classes.options}>
          {suppressions.map(({ value, label, note }) => (
            <Radio key={value} value={value} label={label} description={note} />
          ))}
        </div>
      </Radio.Group>
      <p className={classes.hint}>Recipients of alarms that are still open at the end are notified at once.</p>
    </RecordPanel>
  );
}
