import { Button, Input } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useId } from 'react';
import { TbPlus } from 'react-icons/tb';
import { mostSteps } from '../../../../domain/alarm/plan.ts';
import { messageOf } from '../../../api/http.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { Failure, RecordQuestions, Restored } from '../../../kit/record/RecordParts.tsx';
import { useRecordForm } from '../../../kit/record/useRecordForm.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { Page, PageTitle } from '../../../ui/Page.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { forgetRuleAlerts, type RuleAlertRecord, saveRuleAlert } from '../alert/rule-alert.queries.ts';
import type { StoredStep } from '../alert/steps.queries.ts';
import { notEscalated } from '../rule-words.ts';
import classes from './PlanPage.module.css';
import { planQuery, readPlan } from './plan.queries.ts';
import {
  newStep,
  type PlanValues,
  planInput,
  planProblem,
  planValues,
  type StepRow,
  stepProblems,
} from './plan-form.ts';
import { Rehearsal } from './Rehearsal.tsx';
import { StepColumn } from './StepColumn.tsx';

/** The escalation plan of a rule alert, and its rehearsal. */
export function PlanPage() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const plan = useQuery(planQuery(uuid));
  useHeaderTitle('Rules & Alerts', 'Escalation plan');
  if (plan.data) return <Loaded key={uuid} alert={plan.data.alert} stored={plan.data.steps} />;
  return (
    <Page>
      {plan.isError ? (
        <ErrorState title="The plan could not be loaded" onRetry={() => void plan.refetch()}>
          {messageOf(plan.error)}
        </ErrorState>
      ) : plan.data === null ? (
        <EmptyState title="This rule alert was not found">It was deleted.</EmptyState>
      ) : (
        <div role="status" aria-label="Loading">
          <Skeleton width="40%" />
        </div>
      )}
    </Page>
  );
}

function Loaded({ alert, stored }: { alert: RuleAlertRecord; stored: StoredStep[] }) {
  const client = useQueryClient();
  const formId = useId();
  const record = useRecordForm<PlanValues>({
    name: `plan ${alert.uuid}`,
    seen: { values: planValues(alert, stored), mark: alert.updatedAt },
    validate: (values) => ({ steps: planProblem(values) }),
    save: async (values, mark) => {
      // People may have changed since the page was opened. Then the mark differs, and the save is refused.
      const current = await readPlan(alert.uuid);
      await saveRuleAlert(planInput(current?.alert ?? alert, values, mark));
      await forgetRuleAlerts(client);
      toast.success('The escalation plan was saved.');
      return (await readPlan(alert.uuid))?.alert.updatedAt;
    },
    reload: async () => {
      const found = await readPlan(alert.uuid);
      return found && { values: planValues(found.alert, found.steps), mark: found.alert.updatedAt };
    },
  });
  const { form, changes, saving } = record;
  const values = form.getValues();
  const { steps } = values;
  const problems = form.errors.steps ? stepProblems(steps) : [];
  const change = (next: StepRow[]) => form.setFieldValue('steps', next);
  return (
    <Page>
      <PageTitle
        above={
          <nav className={classes.crumbs} aria-label="Breadcrumbs">
            <Link to="/admin/rules" search={{ tab: 'alerts', record: alert.uuid } as never}>
              Rules &amp; Alerts
            </Link>
            <span>{alert.site?.name}</span>
            <span>{alert.tocsinRuleName}</span>
          </nav>
        }
        actions={
          <>
            <span className={classes.changes} aria-live="polite">
              {changes === 0 ? '' : 'Changes not saved'}
            </span>
            <Button variant="default" disabled={changes === 0} onClick={record.discard}>
              Discard
            </Button>
            <Button type="submit" form={formId} loading={saving}>
              Save plan
            </Button>
          </>
        }
      >
        Escalation plan
      </PageTitle>
      <Restored record={record} />
      <Failure>{record.failure}</Failure>
      {form.errors.steps ? (
        <Input.Error role="alert" className={classes.problem}>
          {form.errors.steps}
        </Input.Error>
      ) : null}
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void record.submit();
        }}
      >
        <div className={classes.steps}>
          {steps.map((step, index) => (
            <StepColumn
              // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its number.
              key={index}
              number={index + 1}
              step={step}
              problems={problems[index] ?? {}}
              onChange={(next) => change(steps.map((known, at) => (at === index ? next : known)))}
              onRemove={index === 0 ? undefined : () => change(steps.filter((_, at) => at !== index))}
            />
          ))}
          <div className={classes.more}>
            {steps.length < mostSteps ? (
              <Button
                variant="subtle"
                leftSection={<TbPlus size={16} strokeWidth={1.75} aria-hidden />}
                onClick={() => change([...steps, newStep])}
              >
                Add step
              </Button>
            ) : (
              <p>A plan has at most {mostSteps} steps.</p>
            )}
            <p>A plan ends when somebody acknowledges, or when the alarm resolves.</p>
            <p>
              The repeats of a step end when the next step begins. If nobody is on call, the next step begins at once.
            </p>
            <p>An open alarm keeps the plan it started with.</p>
            {alert.indAck ? null : <p role="status">{notEscalated}</p>}
          </div>
        </div>
      </form>
      <Rehearsal values={values} />
      <RecordQuestions record={record} labels={{ steps: 'Steps' }} onSaved={() => {}} />
    </Page>
  );
}
