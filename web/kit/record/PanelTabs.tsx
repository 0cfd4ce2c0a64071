import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { fieldNotUsable } from '../../ui/unusable.ts';
import classes from './PanelTabs.module.css';
import type { RecordForm } from './useRecordForm.ts';

interface PanelTabsProps {
  tabs: readonly { value: string; label: string; count?: number | undefined }[];
}

/** The parts of a record's panel by name. It stands in a `Tabs` that holds the whole panel. */
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

/** One part. All parts stay drawn, so that what was typed in one is there when somebody comes back to it. */
export function PanelTab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Panel value={value} className={classes.panel} data-part={value}>
      {children}
    </Tabs.Panel>
  );
}

/**
 * Which part is in front. A save that is refused brings a part forward: that of the field which is wrong where the field has
 * a part of its own, else the first, because the other fields are there. `opened` is the part that is in front at the start.
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
  // What is wrong is known only when the form is drawn again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal moves a part, not a field that is mended.
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
