import { IconRulerMeasure } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { can } from '../../../domain/permission.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { ExportButton } from '../list/ExportButton.tsx';
import { NewButton } from '../list/NewButton.tsx';
import { useList } from '../list/useList.ts';
import { useSelection } from '../list/useSelection.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import { ManyRules } from './ManyRules.tsx';
import { ruleColumns } from './rule.columns.tsx';
import { type RuleRow, ruleListDefaults, ruleListQuery } from './rule.queries.ts';
import { removeRule, switchRule } from './rule-record.queries.ts';
import { debounceWords, limitWords, priorityWords } from './rule-words.ts';

const exported = [
  { header: 'Name', value: (rule: RuleRow) => rule.name },
  { header: 'Site', value: (rule: RuleRow) => rule.site?.name ?? '' },
  { header: 'Asset', value: (rule: RuleRow) => rule.asset?.name ?? '' },
  { header: 'Data point', value: (rule: RuleRow) => rule.datapoint?.tocsinDatapointName ?? '' },
  { header: 'Unit', value: (rule: RuleRow) => rule.datapoint?.uom ?? '' },
  { header: 'Lower limit', value: (rule: RuleRow) => rule.valueLower },
  { header: 'Upper limit', value: (rule: RuleRow) => rule.valueUpper },
  { header: 'Out of limits', value: (rule: RuleRow) => limitWords(rule, rule.datapoint?.uom) },
  { header: 'Debounce', value: (rule: RuleRow) => debounceWords(rule.debounce) },
  { header: 'Priority', value: (rule: RuleRow) => priorityWords[rule.priority] ?? rule.priority },
  { header: 'Enabled', value: (rule: RuleRow) => (rule.enabled ? 'yes' : 'no') },
];

export function RuleTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  const client = useQueryClient();
  const [view, setView] = useListView(ruleListDefaults);
  const list = useList(ruleListQuery(view));
  const { openRecord } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (rule) => rule.uuid);
  const mayChange = can(actor, 'rule.update');
  const create = can(actor, 'rule.create') ? <NewButton onClick={() => openRecord(NEW)}>New rule</NewButton> : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {choice}
            <ExportButton
              name="rules"
              view={view}
              fetch={(page) => client.fetchQuery(ruleListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
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
        onOpen={(rule) => openRecord(rule.uuid)}
        {...(mayChange && selection)}
        bulkBar={
          <ManyRules
            noun="rule"
            one="rule"
            chosen={chosen}
            nameOf={(rule) => rule.name}
            remove={removeRule}
            enable={(rule, enabled) => switchRule(rule.uuid, enabled)}
            onChoose={choose}
          />
        }
        empty={
          <EmptyState icon={IconRulerMeasure} title="No rules yet" action={create}>
            A rule tells people when a value leaves its limits.
          </EmptyState>
        }
      />
    </>
  );
}
