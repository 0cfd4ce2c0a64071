import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import dialogClasses from '../../kit/record/RecordPanel.module.css';
import type { NeededProps } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Credentials, registerSensor, sensorSource } from './sensor.queries.ts';
import { ANALOG, uidProblem } from './sensor-words.ts';
import { TokenOnce } from './TokenOnce.tsx';

interface SensorPickerProps extends NeededProps {
  label: string;
  value: Option | null;
  onChange: (next: Option | null) => void;
  hint?: string;
  description?: ReactNode;
  error?: ReactNode;
  path?: string;
  clearable?: boolean;
  /** A UID that no sensor has can be registered from the list. */
  creatable?: boolean;
  /** Sensors that are not offered. */
  without?: readonly string[];
}

/** One of the sensors, by UID. */
export function SensorPicker({ creatable = false, ...props }: SensorPickerProps) {
  const client = useQueryClient();
  const mayCreate = can(useActor(), 'sensor.create') && creatable;
  const [made, setMade] = useState<Credentials | null>(null);
  const create = async (typed: string): Promise<Option> => {
    const uid = typed.trim();
    const problem = uidProblem(uid);
    if (problem !== null) throw new Error(problem);
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

function NewToken({ made: { uid, token }, onClose }: { made: Credentials; onClose: () => void }) {
  const title = `${uid} is registered`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys reach the form around the picker through React, and Escape would close it.
    <div role="presentation" onKeyDown={(event) => event.stopPropagation()}>
      <Dialog opened onClose={onClose} label={title} head={<h2 className={dialogClasses.question}>{title}</h2>}>
        <TokenOnce uid={uid} token={token} />
        <div className={dialogClasses.choices}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    </div>
  );
}
