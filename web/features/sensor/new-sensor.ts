import type { Option } from '../../kit/record/Picker.tsx';
import { type Credentials, registerSensor } from './sensor.queries.ts';
import { ANALOG } from './sensor-words.ts';

/** Prefix of the option value. No uuid starts like this. */
const NEW_SENSOR = 'new sensor ';

/** A sensor that was typed into a form and is registered when the form is saved. */
export function newSensorOption(uid: string): Option {
  return { value: `${NEW_SENSOR}${uid}`, label: uid };
}

export function isNewSensor(option: Option | null): option is Option {
  return option?.value.startsWith(NEW_SENSOR) ?? false;
}

/** Registers a chosen sensor that does not exist yet; returns null if it exists. */
export async function registerChosen(option: Option | null): Promise<Credentials | null> {
  return isNewSensor(option) ? registerSensor({ uid: option.label, sensorType: ANALOG }) : null;
}
