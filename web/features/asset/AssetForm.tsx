import { Checkbox, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { DescriptionField } from '../../kit/record/DescriptionField.tsx';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { type Seen, useRecordForm } from '../../kit/record/useRecordForm.ts';
import { offerStep } from '../../kit/setup/offered-step.ts';
import { afterAsset } from '../../kit/setup/setup-steps.ts';
import { toast } from '../../ui/toast/toast.ts';
import {
  type Credentials,
  fetchSensor,
  isNewSensor,
  NewToken,
  registerChosen,
  SensorPicker,
  sensorQuery,
} from '../sensor/index.ts';
import { SitePicker } from '../site/index.ts';
import {
  type AssetFields,
  type AssetRecord,
  addAsset,
  assetQuery,
  changeAsset,
  fetchAsset,
  removeAsset,
  siteOfAssetQuery,
} from './asset-record.queries.ts';

interface AssetFormProps {
  /** The asset's uuid, or 'new'. */
  id: string;
  /** The site of a new asset, if known. */
  site?: string | undefined;
  /** The sensor of a new asset, if known. */
  sensor?: string | undefined;
  onClose: () => void;
}

export function AssetForm({ id, site, sensor, onClose }: AssetFormProps) {
  const at = useQuery({ ...siteOfAssetQuery(site ?? ''), enabled: id === NEW && site !== undefined });
  const by = useQuery({ ...sensorQuery(sensor ?? ''), enabled: id === NEW && sensor !== undefined });
  if (id !== NEW) {
    return (
      <LoadedPanel key={id} noun="Asset" query={assetQuery(id)} onClose={onClose}>
        {(asset) => <AssetPanel asset={asset} site={null} sensor={null} onClose={onClose} />}
      </LoadedPanel>
    );
  }
  return at.isLoading || by.isLoading ? null : (
    <AssetPanel key={NEW} asset={null} site={at.data ?? null} sensor={by.data ?? null} onClose={onClose} />
  );
}

type AssetValues = {
  name: string;
  tocsinSiteUuid: Option | null;
  tocsinSensorUuid: Option | null;
  status: boolean;
  description: string;
};

const labels: Record<keyof AssetValues, string> = {
  name: 'Name',
  tocsinSiteUuid: 'Site',
  tocsinSensorUuid: 'Sensor',
  status: 'Active',
  description: 'Description',
};

type SiteOfAsset = AssetRecord['site'];

function siteOption(site: SiteOfAsset): Option | null {
  return site && { value: site.uuid, label: `${site.name}, ${site.siteId}` };
}

function seenAsset(asset: AssetRecord): Seen<AssetValues> {
  return {
    mark: asset.updatedAt,
    values: {
      name: asset.name,
      tocsinSiteUuid: siteOption(asset.site),
      tocsinSensorUuid: asset.sensor && { value: asset.sensor.uuid, label: asset.sensor.uid },
      status: asset.status,
      description: asset.description,
    },
  };
}

function fieldsOf(values: AssetValues): AssetFields {
  return {
    name: values.name.trim(),
    tocsinSiteUuid: values.tocsinSiteUuid?.value ?? '',
    tocsinSensorUuid: values.tocsinSensorUuid?.value ?? null,
    status: values.status,
    description: values.description.trim(),
  };
}

interface AssetPanelProps {
  asset: AssetRecord | null;
  site: SiteOfAsset;
  sensor: AssetRecord['sensor'];
  onClose: () => void;
}

function AssetPanel({ asset, site, sensor, onClose }: AssetPanelProps) {
  const client = useQueryClient();
  const empty: AssetValues = {
    name: '',
    tocsinSiteUuid: siteOption(site),
    tocsinSensorUuid: sensor && { value: sensor.uuid, label: sensor.uid },
    status: true,
    description: '',
  };
  const isSaved = useRef(false);
  const registered = useRef<Credentials | null>(null);
  const [token, setToken] = useState<Credentials | null>(null);
  const showToken = (made: Credentials) => {
    registered.current = made;
    setToken(made);
    void client.invalidateQueries({ queryKey: ['sensor'] });
  };
  const closeToken = () => {
    registered.current = null;
    setToken(null);
    if (isSaved.current) onClose();
  };
  const finish = () => {
    isSaved.current = true;
    if (registered.current === null) onClose();
  };
  /** Creates or updates the asset. Returns the uuid of a new asset; null for an existing asset. */
  const store = async (fields: AssetFields, mark: string | undefined): Promise<string | null> => {
    if (!asset) return addAsset(fields);
    await changeAsset(asset.uuid, fields, mark);
    return null;
  };
  const record = useRecordForm<AssetValues>({
    name: `asset ${asset?.uuid ?? NEW}`,
    seen: asset ? seenAsset(asset) : { mark: undefined, values: empty },
    validate: (values) => ({
      name: values.name.trim() === '' ? fieldSentences['name-missing'] : null,
      tocsinSiteUuid: values.tocsinSiteUuid === null ? 'Choose the site.' : null,
    }),
    save: async (values, mark) => {
      const made = await registerChosen(values.tocsinSensorUuid);
      if (made) showToken(made);
      const fields = { ...fieldsOf(values), ...(made && { tocsinSensorUuid: made.uuid }) };
      const added = await store(fields, mark).catch((error) => {
        // Keep the registered sensor in the form, so that the next attempt to save does not register it again.
        if (made) record.form.setFieldValue('tocsinSensorUuid', { value: made.uuid, label: made.uid });
        throw error;
      });
      await client.invalidateQueries({ queryKey: ['asset'] });
      await client.invalidateQueries({ queryKey: ['site'] });
      toast.success(savedWords(fields.name, !asset));
      if (added !== null) {
        const named = fields.tocsinSensorUuid ? await fetchSensor(fields.tocsinSensorUuid).catch(() => null) : null;
        offerStep(
          afterAsset(
            { uuid: added, name: fields.name },
            named && { uuid: named.uuid, channels: named.sensorChannels.totalCount },
          ),
        );
      }
    },
    ...(asset
      ? {
          reload: async () => {
            const now = await fetchAsset(asset.uuid);
            return now && seenAsset(now);
          },
        }
      : {}),
  });
  const { form } = record;
  const chosenSensor = form.values.tocsinSensorUuid;
  return (
    <>
      <RecordPanel
        title={asset?.name ?? 'New asset'}
        record={record}
        labels={labels}
        onClose={onClose}
        onSaved={finish}
        deletion={
          asset && {
            noun: 'asset',
            uuid: asset.uuid,
            name: asset.name,
            remove: () => removeAsset(asset.uuid),
          }
        }
      >
        <TextInput label={labels.name} maxLength={200} {...form.getInputProps('name')} />
        <SitePicker
          label={labels.tocsinSiteUuid}
          value={form.values.tocsinSiteUuid}
          onChange={(next) => form.setFieldValue('tocsinSiteUuid', next)}
          error={form.errors.tocsinSiteUuid}
          path="tocsinSiteUuid"
          {...record.needed('tocsinSiteUuid')}
        />
        <SensorPicker
          label={labels.tocsinSensorUuid}
          description={
            isNewSensor(chosenSensor)
              ? `${chosenSensor.label} is registered when you save the asset.`
              : 'Default sensor for new data points.'
          }
          value={chosenSensor}
          onChange={(next) => form.setFieldValue('tocsinSensorUuid', next)}
          error={form.errors.tocsinSensorUuid}
          path="tocsinSensorUuid"
          {...record.needed('tocsinSensorUuid')}
          clearable
          creatable="on-save"
        />
        <Checkbox label={labels.status} {...form.getInputProps('status', { type: 'checkbox' })} />
        <DescriptionField label={labels.description} {...form.getInputProps('description')} />
      </RecordPanel>
      {token ? <NewToken made={token} onClose={closeToken} /> : null}
    </>
  );
}
