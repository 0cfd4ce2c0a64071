import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { onlyDatapointQuery } from '../../../kit/choices/choices.queries.ts';
import { key } from '../../../kit/list/list.ts';
import { useParameter } from '../../../kit/list/useParameter.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../../kit/record/useRecordAddress.ts';
import { Page } from '../../../ui/Page.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { PageSkeleton } from '../../../ui/Skeleton.tsx';
import { ActionTab } from '../action/ActionTab.tsx';
import { RuleAlertTab } from '../alert/RuleAlertTab.tsx';
import { ConditionTab } from '../conditions/ConditionTab.tsx';
import { ReasonTab } from '../reason/ReasonTab.tsx';
import { useTextParameter } from '../useTextParameter.ts';
import classes from './RuleListPage.module.css';
import { RuleTab } from './RuleTab.tsx';

const RuleEditor = lazy(() => import('../limits/RuleEditor.tsx'));
const RuleAdvicePage = lazy(() => import('../advice/RuleAdvicePage.tsx'));

const tabs = ['rules', 'conditions', 'alerts', 'reasons', 'actions'] as const;
type Tab = (typeof tabs)[number];

const contents: Readonly<Record<Tab, (props: { choice: ReactNode }) => ReactNode>> = {
  rules: RuleTab,
  conditions: ConditionTab,
  alerts: RuleAlertTab,
  reasons: ReasonTab,
  actions: ActionTab,
};

const tabLabels: Readonly<Record<Tab, string>> = {
  rules: 'Rules',
  conditions: 'Multi-condition',
  alerts: 'Rule alerts',
  reasons: 'Reasons',
  actions: 'Actions',
};

/** Scrolls the selected tab into view on a phone. */
function showChosen(tabs: HTMLElement | null): void {
  tabs?.querySelector('label:has(:checked)')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

export function RuleListPage() {
  useHeaderTitle('Rules & Alerts');
  const [tab, setTab] = useParameter('tab', tabs);
  const { open, openRecord, close } = useRecordAddress();
  const datapoint = useTextParameter('datapoint');
  const site = key(useTextParameter('site'));
  const isAdvice = useTextParameter('view') === 'advice';
  const isTried = useTextParameter('tried') === 'advice';
  const isNew = tab === 'rules' && open === NEW;
  const only = useQuery({ ...onlyDatapointQuery(site), enabled: isNew && site !== undefined && !datapoint });
  if (tab === 'rules' && open !== undefined) {
    if (only.isLoading) return <PageSkeleton />;
    return (
      <Page>
        <Suspense fallback={<PageSkeleton inside />}>
          {isAdvice && open !== NEW ? (
            <RuleAdvicePage key={open} uuid={open} />
          ) : (
            <RuleEditor
              key={open}
              isFromAdvice={isTried}
              uuid={open === NEW ? null : open}
              datapointUuid={datapoint ?? only.data ?? null}
              siteUuid={isNew ? site : undefined}
              onClose={close}
              onCreated={(uuid) => openRecord(uuid)}
            />
          )}
        </Suspense>
      </Page>
    );
  }
  const Content = contents[tab];
  const choice = (
    <div className={classes.tabs} ref={showChosen}>
      <Segmented
        label="What to show"
        options={tabs.map((value) => ({ value, label: tabLabels[value] }))}
        value={tab}
        onChange={setTab}
      />
    </div>
  );
  return (
    <Page fill>
      <Content key={tab} choice={choice} />
    </Page>
  );
}
