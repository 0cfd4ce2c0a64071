import { fieldSentences } from '../../../domain/field-sentences.ts';
import type { Option } from '../../kit/record/Picker.tsx';
import { changedFields } from '../../kit/record/record-changes.ts';
import { assetName, type Datapoint } from './datapoint.queries.ts';

export type DatapointValues = {
  tocsinDatapointName: string;
  tocsinAssetUuid: Option | null;
  tocsinSensorUuid: Option | null;
  tocsinSensorChannelUuid: string;
  sensorType: string;
  uom: string;
  tocsinAssetDatapointOrder: number | string;
  datapointTitleText: string;
  datapointColor: string;
  status: string;
  description: string;
};

export const blankDatapoint: DatapointValues = {
  tocsinDatapointName: '',
  tocsinAssetUuid: null,
  tocsinSensorUuid: null,
  tocsinSensorChannelUuid: '',
  sensorType: '2',
  uom: '',
  tocsinAssetDatapointOrder: 0,
  datapointTitleText: '',
  datapointColor: '#7d858f',
  status: '0',
  description: '',
};

export function valuesOf(datapoint: Datapoint): DatapointValues {
  return {
    tocsinDatapointName: datapoint.tocsinDatapointName,
    tocsinAssetUuid: { value: datapoint.tocsinAssetUuid, label: assetName(datapoint.asset) },
    tocsinSensorUuid: { value: datapoint.tocsinSensorUuid, label: datapoint.sensor?.uid ?? datapoint.tocsinSensorUuid },
    tocsinSensorChannelUuid: datapoint.tocsinSensorChannelUuid,
    sensorType: String(datapoint.sensorType),
    uom: datapoint.uom,
    tocsinAssetDatapointOrder: datapoint.tocsinAssetDatapointOrder,
    datapointTitleText: datapoint.datapointTitleText,
    datapointColor: datapoint.datapointColor,
    status: String(datapoint.status),
    description: datapoint.description,
  };
}

type Errors = Partial<Record<keyof DatapointValues, string>>;

/** Validates the form's values. The server validates them again. */
export function datapointErrors(values: DatapointValues, isColor: (text: string) => boolean): Errors {
  const errors: Errors = {};
  if (values.tocsinDatapointName.trim() === '') errors.tocsinDatapointName = fieldSentences['name-missing'];
  if (!values.tocsinAssetUuid) errors.tocsinAssetUuid = 'Choose an asset.';
  if (!values.tocsinSensorUuid) errors.tocsinSensorUuid = 'Choose a sensor.';
  else if (!values.tocsinSensorChannelUuid) errors.tocsinSensorChannelUuid = 'Choose a channel of the sensor.';
  const order = Number(values.tocsinAssetDatapointOrder);
  if (values.tocsinAssetDatapointOrder === '' || !Number.isInteger(order) || order < 0 || order > 100_000)
    errors.tocsinAssetDatapointOrder = 'Enter a whole number from 0 to 100,000.';
  if (!isColor(values.datapointColor)) errors.datapointColor = 'Enter a colour, such as #7d858f.';
  return errors;
}

const shownFields = ['status', 'datapointColor', 'datapointTitleText'] as const;

/** The change to send to the server. If only one group of fields has changed, `only` is the name of that group. */
export type Change =
  | { only: 'order'; order: number }
  | { only: 'status'; status: number; datapointColor?: string; datapointTitleText?: string }
  | { only: null; patch: Patch };

type Patch = ReturnType<typeof configOf> & Partial<ReturnType<typeof shownOf>>;

/**
 * Returns the smallest change to send. State, colour and title text are included only if the user changed them, because
 * readings update them too. If only the order or only these three fields have changed, the change uses a separate
 * mutation that causes no conflicts.
 */
export function changeOf(seen: DatapointValues, values: DatapointValues): Change {
  const changed = changedFields(seen, values);
  const isShown = (field: string) => (shownFields as readonly string[]).includes(field);
  if (changed.length > 0 && changed.every((field) => field === 'tocsinAssetDatapointOrder')) {
    return { only: 'order', order: Number(values.tocsinAssetDatapointOrder) };
  }
  const shown = Object.fromEntries(
    Object.entries(shownOf(values)).filter(([field]) => changed.includes(field as keyof DatapointValues)),
  ) as Partial<ReturnType<typeof shownOf>>;
  if (changed.length > 0 && changed.every(isShown)) {
    return { only: 'status', ...shown, status: Number(values.status) };
  }
  return { only: null, patch: { ...configOf(values), ...shown } };
}

export function shownOf(values: DatapointValues) {
  return {
    status: Number(values.status),
    datapointColor: values.datapointColor,
    datapointTitleText: values.datapointTitleText,
  };
}

export function configOf(values: DatapointValues) {
  return {
    tocsinDatapointName: values.tocsinDatapointName.trim(),
    tocsinAssetUuid: values.tocsinAssetUuid?.value ?? '',
    tocsinSensorUuid: values.tocsinSensorUuid?.value ?? '',
    tocsinSensorChannelUuid: values.tocsinSensorChannelUuid,
    sensorType: Number(values.sensorType),
    uom: values.uom.trim(),
    tocsinAssetDatapointOrder: Number(values.tocsinAssetDatapointOrder),
    description: values.description,
  };
}
