import { IconRulerMeasure } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useList } from '../list/useList.ts';
import { useParameter } from '../list/useParameter.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { ruleAlertColumns, ruleColumns } from './rule.columns.tsx';
import { ruleAlertListDefaults, ruleAlertListQuery, ruleListDefaults, ruleListQuery } from './rule.queries.ts';

const tabs = ['rules', 'alerts'] as const;

export function RuleListPage() {
  useHeaderTitle('Rules & Alerts');
  const [tab, setTab] = useParameter('tab', tabs);
  const choice = (
    <Segmented
      label="What to show"
      options={[
        { value: 'rules', label: 'Rules' },
        { value: 'alerts', label: 'Rule alerts' },
      ]}
      value={tab}
      onChange={setTab}
    />
  );
  return <Page fill>{tab === 'rules' ? <Rules choice={choice} /> : <RuleAlerts choice={choice} />}</Page>;
}

function Rules({ choice }: { choice: ReactNode }) {
  const [view, setView] = useListView(ruleListDefaults);
  const list = useList(ruleListQuery(view));
  return (
    <>
      <PageTitle count={list.total} actions={choice}>
        Rules
      </PageTitle>
      <DataTable
        {...list}
        label="Rules"
        columns={ruleColumns}
        rowId={(rule) => rule.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name, site, asset or data point"
        empty={
          <EmptyState icon={IconRulerMeasure} title="No rules yet">
            A rule tells people when a value leaves its limits.
          </EmptyState>
        }
      />
    </>
  );
}

function RuleAlerts({ choice }: { choice: ReactNode }) {
  const [view, setView] = useListView(ruleAlertListDefaults);
  const list = useList(ruleAlertListQuery(view));
  return (
    <>
      <PageTitle count={list.total} actions={choice}>
        Rule alerts
      </PageTitle>
      <DataTable
        {...list}
        label="Rule alerts"
        columns={ruleAlertColumns}
        rowId={(alert) => alert.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Rule or site"
        empty={
          <EmptyState icon={IconRulerMeasure} title="No rule alerts yet">
            A rule alert says who is told when a rule of a site fires, and who next when nobody acknowledges.
          </EmptyState>
        }
      />
    </>
  );
}
