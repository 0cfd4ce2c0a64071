import type { ReactNode } from 'react';
import { siteSource } from '../../kit/choices/site-links.queries.ts';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import type { NeededProps } from '../../kit/record/useRecordForm.ts';

interface SitePickerProps extends NeededProps {
  label: string;
  value: Option | null;
  onChange: (next: Option | null) => void;
  error?: ReactNode;
  path?: string;
}

/** Field for choosing a site by its name or ID. */
export function SitePicker(props: SitePickerProps) {
  return <Picker hint="Type a name or ID" source={siteSource} {...props} />;
}
