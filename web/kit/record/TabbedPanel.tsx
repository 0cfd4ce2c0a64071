import { Tabs } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { PanelTab, PanelTabs } from './PanelTabs.tsx';
import { RecordPanel } from './RecordPanel.tsx';

interface Part {
  value: string;
  label: string;
  count?: number | undefined;
  content: ReactNode;
}

type TabbedPanelProps<V extends Record<string, unknown>> = Omit<
  ComponentProps<typeof RecordPanel<V>>,
  'head' | 'children'
> & {
  /**
   * The tabs; the first one contains the fields. If there is only one part, as for a new record, it is shown without
   * tabs.
   */
  parts: readonly [Part, ...Part[]];
  tab: string;
  onTab: (next: string) => void;
};

/** A record's panel with its fields in the first tab and related records in the other tabs. */
export function TabbedPanel<V extends Record<string, unknown>>({ parts, tab, onTab, ...panel }: TabbedPanelProps<V>) {
  if (parts.length === 1) return <RecordPanel {...panel}>{parts[0].content}</RecordPanel>;
  return (
    <Tabs value={tab} onChange={(next) => onTab(next ?? parts[0].value)}>
      <RecordPanel {...panel} head={<PanelTabs tabs={parts} />}>
        {parts.map(({ value, content }) => (
          <PanelTab key={value} value={value}>
            {content}
          </PanelTab>
        ))}
      </RecordPanel>
    </Tabs>
  );
}
