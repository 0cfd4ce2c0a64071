import { fieldSentences } from '../../../domain/field-sentences.ts';
import type { ChannelRow } from './channel.queries.ts';
import type { ChannelLook } from './channel-preview.ts';

/**
 * Form values of a channel. A number field contains text while the user types in it, and an empty string if it is
 * empty.
 */
export type ChannelValues = {
  channelNumber: number | string;
  name: string;
  channelTitleText: string;
  description: string;
  channelLowText: string;
  channelHighText: string;
  channelAlarmCondition: string;
  channelMajorAlarmStatus: boolean;
  channelNormalColor: string;
  channelAlarmColor: string;
  channelFactor: number | string;
  channelOffset: number | string;
  channelDecimals: number | string;
};

export function valuesOf(channel: ChannelRow): ChannelValues {
  const { uuid: _uuid, updatedAt: _updatedAt, ...rest } = channel;
  return {
    ...rest,
    channelAlarmCondition: String(channel.channelAlarmCondition),
    channelDecimals: channel.channelDecimals ?? '',
  };
}

/** Returns the form values of a new channel: the first free number, and the server's default colours. */
export function newChannel(taken: readonly number[]): ChannelValues {
  let number = 1;
  while (taken.includes(number)) number += 1;
  return {
    channelNumber: number,
    name: '',
    channelTitleText: '',
    description: '',
    channelLowText: '',
    channelHighText: '',
    channelAlarmCondition: '2',
    channelMajorAlarmStatus: false,
    channelNormalColor: '#7d858f',
    channelAlarmColor: '#c6162b',
    channelFactor: 1,
    channelOffset: 0,
    channelDecimals: '',
  };
}

/** Returns the name of the channel's digital alarms, to which rule alerts refer. */
export function alarmNameOf({ channelTitleText, name }: Pick<ChannelValues, 'channelTitleText' | 'name'>): string {
  return channelTitleText || name;
}

type Errors = Partial<Record<keyof ChannelValues, string>>;

/** Validates the form's values. The server validates them again. */
export function channelErrors(values: ChannelValues, isColor: (text: string) => boolean): Errors {
  const errors: Errors = {};
  if (!isWhole(values.channelNumber, 9999)) errors.channelNumber = 'Enter a whole number from 0 to 9999.';
  if (values.name.trim() === '') errors.name = fieldSentences['name-missing'];
  if (!isColor(values.channelNormalColor)) errors.channelNormalColor = 'Enter a colour, such as #7d858f.';
  if (!isColor(values.channelAlarmColor)) errors.channelAlarmColor = 'Enter a colour, such as #c6162b.';
  const factor = numberIn(values.channelFactor);
  if (factor === undefined || factor === 0) errors.channelFactor = 'Enter a number other than 0.';
  if (numberIn(values.channelOffset) === undefined) errors.channelOffset = 'Enter a number.';
  if (values.channelDecimals !== '' && !isWhole(values.channelDecimals, 10))
    errors.channelDecimals = 'Enter a whole number from 0 to 10, or leave it empty.';
  return errors;
}

/** Converts the values of a valid form to the input for the API. */
export function sentOf(values: ChannelValues) {
  return {
    ...values,
    name: values.name.trim(),
    channelNumber: Number(values.channelNumber),
    channelAlarmCondition: Number(values.channelAlarmCondition),
    channelFactor: Number(values.channelFactor),
    channelOffset: Number(values.channelOffset),
    channelDecimals: decimalsOf(values),
  };
}

/** Returns the channel for the preview, from a form that may be incomplete. */
export function lookOf(values: ChannelValues): ChannelLook {
  return {
    ...values,
    channelAlarmCondition: Number(values.channelAlarmCondition),
    channelFactor: numberIn(values.channelFactor) ?? Number.NaN,
    channelOffset: numberIn(values.channelOffset) ?? Number.NaN,
    channelDecimals: decimalsOf(values),
  };
}

function decimalsOf({ channelDecimals }: ChannelValues): number | null {
  return isWhole(channelDecimals, 10) ? Number(channelDecimals) : null;
}

function numberIn(value: number | string): number | undefined {
  const number = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isWhole(value: number | string, most: number): boolean {
  const number = numberIn(value);
  return number !== undefined && Number.isInteger(number) && number >= 0 && number <= most;
}
