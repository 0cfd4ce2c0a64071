import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { Segmented } from '../../ui/Segmented.tsx';

const choices = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Switches between the system, light and dark themes. The browser stores the choice. */
export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return <Segmented wide label="Theme" options={choices} value={colorScheme} onChange={setColorScheme} />;
}

/** Gives a phone's status bar the colour of the header. The colours are the same as in public/theme.js. */
export function useThemeColor(): void {
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      meta.content = scheme === 'dark' ? '#181c20' : '#fbfcfc';
    }
  }, [scheme]);
}
