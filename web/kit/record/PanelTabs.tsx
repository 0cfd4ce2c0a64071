import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { fieldNotUsable } from '../../ui/field/unusable.ts';
import classes from './PanelTabs.module.css';
import type { RecordForm } from './useRecordForm.ts';

interface PanelTabsProps {
  tabs: readonly { value: string; label: string; count?: number | undefined }[];
}

/** The tabs of a record's panel. Must be inside a `Tabs` component that wraps the whole panel. */
export function PanelTabs({ tabs }: PanelTabsProps) {
  return (
    <Tabs.List className={classes.list}>
      {tabs.map(({ value, label, count }) => (
        <Tabs.Tab key={value} value={value}>
          {label}
          {count ? <span className={classes.count}> {count.toLocaleString()}</span> : null}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

/** Content of one tab. All tabs stay mounted, so that input is kept when the user switches tabs. */
export function PanelTab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Panel value={value} className={classes.panel} data-part={value}>
      {children}
    </Tabs.Panel>
  );
}

/**
 * Controls which tab is open. Initially, this is `opened`. A failed save opens the tab of the field with the error.
 * `ownParts` lists the fields that have their own tab; all other fields are in the tab `first`.
 */
export function usePanelTabs<V extends Record<string, unknown>>(
  record: RecordForm<V>,
  first: string,
  ownParts: readonly (keyof V & string)[] = [],
  opened = first,
) {
  const [tab, setTab] = useState<string | null>(opened);
  const [refusals, setRefusals] = useState(0);
  const wrong = ownParts.find((field) => record.form.errors[field]);
  // This is an effect, because the errors are known only after the next render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab changes only when a save is refused, not when a field is corrected.
  useEffect(() => {
    const unusable = fieldNotUsable()?.closest<HTMLElement>('[data-part]')?.dataset.part;
    if (refusals > 0) setTab(wrong ?? unusable ?? first);
  }, [refusals]);
  const submit = async () => {
    const saved = await record.submit();
    if (!saved) setRefusals((count) => count + 1);
    return saved;
  };
  return { tabs: { value: tab, onChange: setTab }, record: { ...record, submit } };
}
