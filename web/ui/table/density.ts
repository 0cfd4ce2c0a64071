import { useLocalStorage } from '@mantine/hooks';

export type Density = 'comfortable' | 'compact';

/** How high the rows of tables are. One choice for all tables, kept in the browser; all that are open follow it. */
export function useDensity(): [Density, (next: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    deserialize: readDensity,
  });
  return [density, setDensity];
}

/** Whatever else may have been stored counts as the usual. */
export function readDensity(stored: string | undefined): Density {
  return stored === '"compact"' ? 'compact' : 'comfortable';
}
