import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import type { NeededProps } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { NewToken } from './NewToken.tsx';
import { newSensorOption } from './new-sensor.ts';
import { type Credentials, registerSensor, sensorSource } from './sensor.queries.ts';
import { ANALOG, uidProblem } from './sensor-words.ts';

interface SensorPickerProps extends NeededProps {
  label: string;
  value: Option | null;
  onChange: (next: Option | null) => void;
  hint?: string;
  description?: ReactNode;
  error?: ReactNode;
  path?: string;
  clearable?: boolean;
  /**
   * Determines whether the user can enter a new UID. With `now`, the picker registers the sensor immediately. With
   * `on-save`, the form registers it with `registerChosen`. If omitted, only existing sensors can be chosen.
   */
  creatable?: 'now' | 'on-save';
  /** Sensors to exclude from the list. */
  without?: readonly string[];
}

/** Field for choosing a sensor by its UID. */
export function SensorPicker({ creatable, ...props }: SensorPickerProps) {
  const client = useQueryClient();
  const mayCreate = can(useActor(), 'sensor.create') && creatable !== undefined;
  const [made, setMade] = useState<Credentials | null>(null);
  const create = async (typed: string): Promise<Option> => {
    const uid = typed.trim();
    const problem = uidProblem(uid);
    if (problem !== null) throw new Error(problem);
    if (creatable === 'on-save') return newSensorOption(uid);
    const credentials = await registerSensor({ uid, sensorType: ANALOG });
    await client.invalidateQueries({ queryKey: ['sensor'] });
    setMade(credentials);
    return { value: credentials.uuid, label: credentials.uid };
  };
  return (
    <>
      <Picker
        hint={mayCreate ? 'Choose a UID or type a new one' : 'Type a UID'}
        source={sensorSource}
        {...(mayCreate && { create })}
        {...props}
      />
      {made ? <NewToken made={made} onClose={() => setMade(null)} /> : null}
    </>
  );
}
