import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { groupLevels, LONGEST_LEVEL_NAME, levelWords } from '../../../domain/group-level.ts';
import { WARNING_PERCENT } from '../../../domain/notification/sms-budget.ts';
import { performanceTargets } from '../../../domain/report/performance-targets.ts';
import { messageOf } from '../../api/http.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { Failure, RecordQuestions, Restored } from '../../kit/record/RecordParts.tsx';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { Lookup } from '../../ui/Lookup.tsx';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { PageSkeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toast/toast.ts';
import classes from './CompanyPage.module.css';
import {
  type CustomerRecord,
  changeCustomer,
  customerQuery,
  readCustomer,
  timeZonesQuery,
} from './customer.queries.ts';
import { type CustomerValues, customerLabels, customerPatch, customerProblems, seenCustomer } from './customer-form.ts';
import { refreshCompany } from './refresh-company.ts';
import { SmsBudgetFields } from './SmsBudgetFields.tsx';

/** Page with the company's settings. Only owners can open it. */
export function CompanyPage() {
  useHeaderTitle('Company');
  const query = useQuery(customerQuery);
  if (query.data) return <CompanyForm customer={query.data} />;
  if (query.isPending) return <PageSkeleton />;
  return (
    <Page>
      <PageTitle>Company</PageTitle>
      <Card>
        {query.isError ? (
          <ErrorState title="The company could not be loaded" onRetry={() => void query.refetch()}>
            {messageOf(query.error)}
          </ErrorState>
        ) : (
          <EmptyState title="Company not found">It does not exist, or you do not have access to it.</EmptyState>
        )}
      </Card>
    </Page>
  );
}

function CompanyForm({ customer }: { customer: CustomerRecord }) {
  const client = useQueryClient();
  const zones = useQuery(timeZonesQuery);
  const record = useRecordForm<CustomerValues>({
    name: `customer ${customer.uuid}`,
    seen: seenCustomer(customer),
    follows: true,
    validate: customerProblems,
    save: async (values, mark) => {
      const newMark = await changeCustomer(customer.uuid, { ...customerPatch(values), updatedAt: mark ?? null });
      toast.success('The company was saved.');
      return newMark;
    },
    reload: async () => {
      const now = await readCustomer();
      return now && seenCustomer(now);
    },
  });
  const { form, changes, saving } = record;
  const finish = () => refreshCompany(client);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await record.submit()) await finish();
  };
  const rezoned = record.isChanged('timeZone');
  return (
    <Page>
      <PageTitle>Company</PageTitle>
      <form className={classes.form} aria-label="Company" noValidate onSubmit={(event) => void submit(event)}>
        <Restored record={record} />
        <TextInput
          label={customerLabels.name}
          description="Shown at sign-in, on the dashboard, in e-mails and in PDF reports."
          maxLength={200}
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={customerLabels.email}
          description="Shown to people who forgot their password, unless the installation has its own contact."
          type="email"
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <TextInput
          label={customerLabels.phone}
          description="Shown with the e-mail address, as a WhatsApp contact."
          type="tel"
          maxLength={32}
          autoComplete="off"
          {...form.getInputProps('phone')}
        />
        <Lookup
          label={customerLabels.timeZone}
          description="Used for all times, and for the start of each day in reports."
          nothingFoundMessage={
            zones.isError ? messageOf(zones.error) : 'Nothing found. Search for the nearest large city.'
          }
          chosen={form.getValues().timeZone ?? ''}
          data={[...new Set([customer.timeZone, ...(zones.data ?? [])])]}
          {...form.getInputProps('timeZone')}
        />
        <p className={rezoned ? classes.warning : classes.hint} role="status">
          {rezoned
            ? `With ${form.getValues().timeZone} as the time zone, each day in all reports begins at midnight in that zone, including past days. Figures can differ from files that you downloaded earlier. Readings, alarms and messages do not change.`
            : 'A different time zone changes when each day begins in all reports, including past days. Readings, alarms and messages do not change.'}
        </p>
        <fieldset className={classes.levels}>
          <legend>Names of group levels</legend>
          <p className={classes.hint}>
            Forms, filters and reports use these names, such as Region, District and Area. Leave a field empty to use
            the default name.
          </p>
          {groupLevels.map((level) => (
            <TextInput
              key={level}
              label={`Level ${level}`}
              placeholder={levelWords(level, null).title}
              maxLength={LONGEST_LEVEL_NAME}
              autoComplete="off"
              {...form.getInputProps(`group${level}Name`)}
            />
          ))}
        </fieldset>
        <fieldset className={classes.levels}>
          <legend>Shelving</legend>
          <p className={classes.hint}>
            The longest time in hours for which a user can silence an alarm, rule, data point, asset or site.
          </p>
          <TextInput
            label="Operators"
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            {...form.getInputProps('operatorShelveHours')}
          />
          <TextInput
            label="Managers and owners"
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            {...form.getInputProps('managerShelveHours')}
          />
        </fieldset>
        <fieldset className={classes.levels}>
          <legend>SMS budget</legend>
          <p className={classes.hint}>
            The billed SMS segments that the company may use. When a budget is used up, minor and silent alarms are sent
            by the recipients’ other methods. Critical and major alarms are still sent by SMS. So are alarms to
            recipients who have no other method. Owners are warned at {WARNING_PERCENT}&nbsp;%. Unit offices can have
            their own budgets, on the Groups page.
          </p>
          <SmsBudgetFields
            labels={{ smsDayBudget: 'Segments per day', smsMonthBudget: 'Segments per month' }}
            inputProps={(field) => form.getInputProps(field)}
          />
        </fieldset>
        <fieldset id="targets" className={classes.levels}>
          <legend>Alarm performance targets</legend>
          <p className={classes.hint}>
            The alarm performance report compares its figures with these numbers. The alarms in a day and in 10 minutes
            are counted for each recipient. The flood of a site ends when fewer alarms open within 10 minutes. The
            default values are those of EEMUA 191.
          </p>
          {performanceTargets.map(({ field, label }) => (
            <TextInput
              key={field}
              label={label}
              inputMode="numeric"
              maxLength={5}
              autoComplete="off"
              {...form.getInputProps(field)}
            />
          ))}
        </fieldset>
        <Failure>{record.failure}</Failure>
        <div className={classes.buttons}>
          {changes > 0 ? (
            <Button variant="default" onClick={record.discard}>
              Discard
            </Button>
          ) : null}
          <Button type="submit" loading={saving} disabled={changes === 0}>
            Save
          </Button>
        </div>
      </form>
      <RecordQuestions record={record} labels={customerLabels} onSaved={finish} />
    </Page>
  );
}
