/** Choices in a user's profile. `tocsin_definer.set_own_profile` checks the same list. */
export const START_PAGES = {
  reports: { label: 'Reports', to: '/reports' },
  dashboard: { label: 'Dashboard', to: '/dashboard' },
  alarms: { label: 'Alarms', to: '/dashboard/alarms' },
  'my-work': { label: 'My work', to: '/dashboard/my-work' },
} as const;

export type StartPage = keyof typeof START_PAGES;
export type StartPath = (typeof START_PAGES)[StartPage]['to'];

/** Returns the page after sign-in. The default is Reports, as the specification requires. */
export function startPageOf(chosen: string | null): (typeof START_PAGES)[StartPage] {
  return START_PAGES[(chosen ?? 'reports') as StartPage] ?? START_PAGES.reports;
}

export function startPathOf(chosen: string | null): StartPath {
  return startPageOf(chosen).to;
}

/** Locales for dates and numbers. An empty value means the browser's locale. */
export const LOCALES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Same as the browser' },
  { value: 'en-GB', label: 'English (United Kingdom)' },
  { value: 'en-US', label: 'English (United States)' },
  { value: 'en-IE', label: 'English (Ireland)' },
  { value: 'cs-CZ', label: 'Čeština' },
  { value: 'da-DK', label: 'Dansk' },
  { value: 'de-DE', label: 'Deutsch (Deutschland)' },
  { value: 'de-AT', label: 'Deutsch (Österreich)' },
  { value: 'de-CH', label: 'Deutsch (Schweiz)' },
  { value: 'es-ES', label: 'Español (España)' },
  { value: 'es-MX', label: 'Español (México)' },
  { value: 'fr-FR', label: 'Français (France)' },
  { value: 'fr-CH', label: 'Français (Suisse)' },
  { value: 'hu-HU', label: 'Magyar' },
  { value: 'it-IT', label: 'Italiano' },
  { value: 'nl-NL', label: 'Nederlands' },
  { value: 'nb-NO', label: 'Norsk' },
  { value: 'pl-PL', label: 'Polski' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'pt-PT', label: 'Português (Portugal)' },
  { value: 'fi-FI', label: 'Suomi' },
  { value: 'sv-SE', label: 'Svenska' },
  { value: 'tr-TR', label: 'Türkçe' },
  { value: 'ja-JP', label: '日本語' },
];
