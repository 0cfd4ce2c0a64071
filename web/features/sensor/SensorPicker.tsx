import type { ReactNode } from 'react';
import { type Option, Picker } from '../record/Picker.tsx';
import type { NeededProps } from '../record/useRecordForm.ts';
import { sensorSource } from './sensor.queries.ts';

interface SensorPickerProps extends NeededProps {
  label: string;
  value: Option | null;
  onChange: (next: Option | null) => void;
  hint?: string;
  description?: ReactNode;
  error?: ReactNode;
  path?: string;
  clearable?: boolean;
  /** Sensors that are not offered. */
  without?: readonly string[];
}

/** One of the sensors, by UID. */
export function SensorPicker(props: SensorPickerProps) {
  return <Picker hint="Type a UID" source={sensorSource} {...props} />;
}
