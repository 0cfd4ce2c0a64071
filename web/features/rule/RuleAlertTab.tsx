import { IconRulerMeasure } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { can } from '../../../domain/permission.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { ExportButton } from '../list/ExportButton.tsx';
import { rowsOf } from '../list/list.ts';
import { NewButton } from '../list/NewButton.tsx';
import { useList } from '../list/useList.ts';
import { useSelection } from '../list/useSelection.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import { ManyRules } from './ManyRules.tsx';
import { ruleAlertColumns } from './rule.columns.tsx';
import { type RuleAlertRow, ruleAlertListDefaults, ruleAlertListQuery } from './rule.queries.ts';
import { removeRuleAlert } from './rule-alert.queries.ts';
import { toldWords } from './rule-words.ts';

const RuleAlertForm = lazy(() => import('./RuleAlertForm.tsx'));

const exported = [
  { header: 'Rule', value: (alert: RuleAlertRow) => alert.tocsinRuleName },
  { header: 'Site', value: (alert: RuleAlertRow) => alert.site?.name ?? '' },
  { header: 'Told', value: (alert: RuleAlertRow) => toldWords(rowsOf(alert.ruleAlertUsers)) },
  { header: 'Escalates to', value: (alert: RuleAlertRow) => alert.ruleEscalateUsers.totalCount },
  { header: 'Must be acknowledged', value: (alert: RuleAlertRow) => (alert.indAck ? 'yes' : 'no') },
  {
    header: 'Reasons',
    value: (alert: RuleAlertRow) =>
      rowsOf(alert.reasons)
        .map(({ reason }) => reason)
        .join(', '),
  },
];

export function RuleAlertTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  const client = useQueryClient();
  const [view, setView] = useListView(ruleAlertListDefaults);
  const list = useList(ruleAlertListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (alert) => alert.uuid);
  const create = can(actor, 'rule_alert.create') ? (
    <NewButton onClick={() => openRecord(NEW)}>New rule alert</NewButton>
  ) : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {choice}
            <ExportButton
              name="rule-alerts"
              view={view}
              fetch={(page) => client.fetchQuery(ruleAlertListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
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
        onOpen={(alert) => openRecord(alert.uuid)}
        openId={open}
        {...(can(actor, 'rule_alert.delete') && selection)}
        bulkBar={
          <ManyRules
            noun="rule_alert"
            one="rule alert"
            chosen={chosen}
            nameOf={(alert) => alert.tocsinRuleName}
            remove={removeRuleAlert}
            onChoose={choose}
          />
        }
        empty={
          <EmptyState icon={IconRulerMeasure} title="No rule alerts yet" action={create}>
            A rule alert says who is told when a rule of a site fires, and who next when nobody acknowledges.
          </EmptyState>
        }
      />
      {open === undefined ? null : (
        <Suspense fallback={null}>
          <RuleAlertForm key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
