import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { DeleteDialog } from '../../../kit/record/DeleteDialog.tsx';
import { Failure, RecordQuestions, Restored } from '../../../kit/record/RecordParts.tsx';
import { savedWords } from '../../../kit/record/saved-words.ts';
import { useFocusFirstField } from '../../../kit/record/useFocusFirstField.ts';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { offerStep } from '../../../kit/setup/offered-step.ts';
import { afterRule } from '../../../kit/setup/setup-steps.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Card, PageTitle } from '../../../ui/Page.tsx';
import { PageSkeleton } from '../../../ui/Skeleton.tsx';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { RecipientsAfterRename } from '../alert/RecipientsAfterRename.tsx';
import { RulePeople } from '../alert/RulePeople.tsx';
import { alertOfRuleQuery } from '../alert/rule-alert.queries.ts';
import { smsPeople } from '../alert/sms-people.ts';
import { RuleExplanationCard } from '../history/RuleExplanationCard.tsx';
import { LONGEST_SPAN, RuleHistory, type Span, USUAL_SPAN } from '../history/RuleHistory.tsx';
import classes from '../RuleEditor.module.css';
import { RuleUsage } from '../RuleUsage.tsx';
import {
  limitsIn,
  newRule,
  previewOf,
  type RuleValues,
  ruleDraftName,
  ruleInput,
  ruleLabels,
  ruleProblems,
  ruleValues,
  ruleWords,
} from '../rule-form.ts';
import {
  forgetRules,
  type RuleRecord,
  readRule,
  removeRule,
  ruleDatapointQuery,
  ruleRecordQuery,
  saveRule,
} from '../rule-record.queries.ts';
import { useConfirmDisable } from '../useConfirmDisable.tsx';
import { RuleFields } from './RuleFields.tsx';

interface RuleEditorProps {
  /** Uuid of the rule; null for a new rule. */
  uuid: string | null;
  /** Data point of a new rule; null if the user must choose it. */
  datapointUuid: string | null;
  /** Site whose data points can be chosen for a new rule; undefined for all sites. */
  siteUuid?: string | undefined;
  /** True if the editor was filled with values from the advice. */
  isFromAdvice?: boolean;
  onClose: () => void;
  onCreated: (uuid: string) => void;
}

/**
 * Page for editing one rule. Shows the rule's limits next to the history of its data point, so that the user can test
 * the limits on past readings.
 */
export default function RuleEditor(props: RuleEditorProps) {
  const record = useQuery({ ...ruleRecordQuery(props.uuid ?? ''), enabled: props.uuid !== null });
  // Stores the chosen period here, because the editor remounts after each save.
  const [span, setSpan] = useState<Span>(props.isFromAdvice ? LONGEST_SPAN : USUAL_SPAN);
  const back = { span, onSpan: setSpan };
  if (props.uuid === null) return <Editor {...props} {...back} rule={null} />;
  if (record.isPending) return <PageSkeleton inside />;
  if (record.isError) {
    return (
      <NoRule>
        <ErrorState title="The rule could not be loaded" onRetry={() => void record.refetch()}>
          {messageOf(record.error)}
        </ErrorState>
      </NoRule>
    );
  }
  if (record.data === null) {
    return (
      <NoRule>
        <EmptyState
          title="Rule not found"
          action={
            <Button variant="default" onClick={props.onClose}>
              All rules
            </Button>
          }
        >
          It was deleted, or you do not have access to it.
        </EmptyState>
      </NoRule>
    );
  }
  return <Editor key={`${record.data.uuid} ${record.data.version}`} {...props} {...back} rule={record.data} />;
}

function NoRule({ children }: { children: ReactNode }) {
  return (
    <>
      <PageTitle above={<Link to="/admin/rules">Rules &amp; Alerts</Link>}>Rule</PageTitle>
      <Card>{children}</Card>
    </>
  );
}

interface EditorProps extends RuleEditorProps {
  rule: RuleRecord | null;
  span: Span;
  onSpan: (next: Span) => void;
}

function Editor({ rule, datapointUuid, siteUuid, isFromAdvice, span, onSpan, onClose, onCreated }: EditorProps) {
  const client = useQueryClient();
  const actor = useActor();
  const timeZone = useTimeZone();
  const made = useRef('');
  const [deleting, setDeleting] = useState(false);
  const { agreed, question } = useConfirmDisable();
  const record = useRecordForm<RuleValues>({
    name: ruleDraftName(rule?.uuid),
    seen: rule
      ? { values: ruleValues(rule), mark: rule.updatedAt }
      : { values: newRule(datapointUuid), mark: undefined },
    validate: ruleProblems,
    agree: ({ enabled }) => agreed(rule?.enabled && !enabled ? [rule.uuid] : []),
    save: async (values, mark) => {
      const target = await client.fetchQuery(ruleDatapointQuery(values.tocsinDatapointUuid));
      if (!target) throw new Error('The data point was deleted. Choose another one.');
      const causes = values.causes.map(({ value }) => value);
      const saved = await saveRule(rule?.uuid ?? null, ruleInput(values, target), causes, mark);
      made.current = saved.uuid;
      return saved.mark;
    },
    reload: async () => {
      const stored = rule && (await readRule(rule.uuid));
      return stored ? { values: ruleValues(stored), mark: stored.updatedAt } : null;
    },
  });
  const { leaving } = record;
  const fields = useRef<HTMLFieldSetElement>(null);
  // The editor is remounted after each save, so focus the first field only for a new rule.
  useFocusFirstField(fields, record, { isWanted: rule === null });
  const values = record.form.getValues();
  const datapoint = useQuery(ruleDatapointQuery(values.tocsinDatapointUuid)).data ?? null;
  const site = datapoint?.asset?.site ?? rule?.site ?? undefined;
  const alert = useQuery(alertOfRuleQuery(rule?.site?.uuid, rule?.name ?? '')).data ?? null;
  const preview = previewOf(values, datapoint, now(), timeZone);

  const finish = async () => {
    leaving.current = true;
    toast.success(savedWords(values.name.trim(), rule === null));
    await forgetRules(client);
    if (rule === null) {
      onCreated(made.current);
      if (site) offerStep(afterRule({ name: values.name.trim(), siteUuid: site.uuid }));
    }
    leaving.current = false;
  };
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (await record.submit()) await finish();
  };
  // The causes do not belong to the version, because they decide who is notified and not when an alarm opens.
  const makesVersion = !(record.changes === 1 && record.isChanged('causes'));
  const mayChange = can(actor, rule ? 'rule.update' : 'rule.create');
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <PageTitle
        above={
          <>
            <Link to="/admin/rules">Rules &amp; Alerts</Link>
            {site ? ` › ${site.name}` : ''}
          </>
        }
        actions={
          <>
            <span className={classes.state} aria-live="polite">
              {rule ? `Version ${rule.version} is ${rule.enabled ? 'live' : 'disabled'}` : 'Not saved yet'}
              {rule && record.changes > 0 ? ', changes not saved' : ''}
            </span>
            {rule && can(actor, 'rule.update') ? (
              <Button
                variant="subtle"
                component={Link}
                to="/admin/rules"
                search={{ record: rule.uuid, view: 'advice' } as never}
              >
                Show advice
              </Button>
            ) : null}
            {rule && can(actor, 'rule.delete') ? (
              <Button variant="subtle" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            ) : null}
            <Button variant="default" onClick={record.changes > 0 && rule ? record.discard : onClose}>
              {record.changes > 0 && rule ? 'Discard' : rule ? 'Close' : 'Cancel'}
            </Button>
            {mayChange ? (
              <Button type="submit" loading={record.saving} disabled={rule !== null && record.changes === 0}>
                {rule && makesVersion ? `Save as version ${rule.version + 1}` : 'Save'}
              </Button>
            ) : null}
          </>
        }
      >
        {values.name.trim() || 'New rule'}
      </PageTitle>
      <div className={classes.above}>
        <Failure>{record.failure}</Failure>
        <Restored
          record={record}
          words={
            isFromAdvice
              ? 'The fields contain the values from the advice. Nothing changes until you save them.'
              : undefined
          }
        />
      </div>
      <div className={classes.layout}>
        <fieldset ref={fields} className={classes.fields} disabled={!mayChange}>
          <RuleFields
            record={record}
            datapoint={datapoint}
            siteUuid={siteUuid}
            ruleUuid={rule?.uuid}
            preview={preview}
            belowName={
              <RecipientsAfterRename sites={[rule?.site?.uuid]} stored={rule?.name ?? ''} name={values.name} />
            }
          />
        </fieldset>
        <div className={classes.side}>
          <RuleHistory
            span={span}
            onSpan={onSpan}
            values={values}
            unit={datapoint?.uom ?? ''}
            live={
              rule && {
                ruleUuid: rule.uuid,
                version: rule.version,
                limits: limitsIn(ruleValues(rule)),
                datapointUuid: rule.tocsinDatapointUuid,
              }
            }
            smsPerAlarm={alert ? smsPeople(alert) : 0}
            smsSegments={preview.segments}
            onLimit={(side, value) => record.form.setFieldValue(side, value)}
          />
          {rule ? <RuleExplanationCard ruleUuid={rule.uuid} unit={datapoint?.uom ?? ''} /> : null}
          <RulePeople siteUuid={rule?.site?.uuid} name={rule?.name ?? ''} />
          {rule && datapoint ? (
            <RuleUsage
              ruleUuid={rule.uuid}
              datapointUuid={rule.tocsinDatapointUuid}
              siteId={datapoint.asset?.site?.siteId}
              unit={datapoint.uom}
            />
          ) : null}
        </div>
      </div>
      <RecordQuestions record={record} labels={ruleLabels} words={ruleWords} onSaved={finish} />
      {question}
      {deleting && rule ? (
        <DeleteDialog
          noun="rule"
          uuid={rule.uuid}
          name={rule.name}
          remove={() => removeRule(rule.uuid)}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            record.abandon();
            onClose();
          }}
        />
      ) : null}
    </form>
  );
}
