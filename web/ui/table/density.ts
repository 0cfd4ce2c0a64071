import { useLocalStorage } from '@mantine/hooks';

export type Density = 'comfortable' | 'compact';

/** The row height of all tables, stored in the browser; open tables follow a change. */
export function useDensity(): [Density, (next: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    deserialize: readDensity,
  });
  return [density, setDensity];
}

/** Any other stored text counts as the default. */
export function readDensity(stored: string | undefined): Density {
  return stored === '"compact"' ? 'compact' : 'comfortable';
}
