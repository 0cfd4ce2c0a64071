import type { Option } from '../../kit/record/Picker.tsx';
import { type Credentials, registerSensor } from './sensor.queries.ts';
import { ANALOG } from './sensor-words.ts';

/** Prefix of the option value for a new sensor. No uuid starts with this text. */
const NEW_SENSOR = 'new sensor ';

/** Returns an option for a new sensor. The sensor is registered when the form is saved. */
export function newSensorOption(uid: string): Option {
  return { value: `${NEW_SENSOR}${uid}`, label: uid };
}

export function isNewSensor(option: Option | null): option is Option {
  return option?.value.startsWith(NEW_SENSOR) ?? false;
}

/** Registers the chosen sensor if it is new. Returns its credentials; null if the sensor already exists. */
export async function registerChosen(option: Option | null): Promise<Credentials | null> {
  return isNewSensor(option) ? registerSensor({ uid: option.label, sensorType: ANALOG }) : null;
}
