import { useLocalStorage } from '@mantine/hooks';

export type Density = 'comfortable' | 'compact';

/**
 * Returns the row height of all tables and a function to change it. The browser stores the height. Open tables change
 * their row height immediately.
 */
export function useDensity(): [Density, (next: Density) => void] {
  const [density, setDensity] = useLocalStorage<Density>({
    key: 'density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
    deserialize: readDensity,
  });
  return [density, setDensity];
}

/** Parses the stored row height. Any other text counts as the default. */
export function readDensity(stored: string | undefined): Density {
  return stored === '"compact"' ? 'compact' : 'comfortable';
}
