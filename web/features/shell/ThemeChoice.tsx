import { useMantineColorScheme } from '@mantine/core';
import { Segmented } from '../../ui/Segmented.tsx';

const choices = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** System, light or dark. The choice is kept in this browser. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return <Segmented wide label="Theme" options={choices} value={colorScheme} onChange={setColorScheme} />;
}
