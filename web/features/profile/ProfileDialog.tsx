import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { TbAlertTriangle } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { plural } from '../../../domain/plural.ts';
import { LOCALES, START_PAGES } from '../../../domain/profile.ts';
import { ApiError, messageOf } from '../../api/http.ts';
import { formatOnPaper } from '../../kit/format/short-time.ts';
import dialogClasses from '../../kit/record/RecordPanel.module.css';
import { useActor } from '../../kit/session/actor.ts';
import { refreshSession, useUser } from '../../kit/session/session.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { numberFormat } from '../../ui/formats.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { emptyUser, userErrors } from '../user/index.ts';
import classes from './Profile.module.css';
import { ownProfileQuery, saveOwnMethods, saveOwnProfile } from './profile.queries.ts';

const TITLE = 'Your profile';
const startPages = Object.entries(START_PAGES).map(([value, { label }]) => ({ value, label }));

/** Dialog with the user's own settings. A partner account has no start page and gets no notifications. */
export function ProfileDialog({ onClose }: { onClose: () => void }) {
  const profile = useQuery(ownProfileQuery(useUser().uuid));
  return (
    <Dialog opened onClose={onClose} label={TITLE} head={<h2 className={dialogClasses.question}>{TITLE}</h2>}>
      {profile.data ? (
        <Form phone={profile.data.phoneNumber} ruleAlerts={profile.data.ruleAlerts} onClose={onClose} />
      ) : profile.isError ? (
        <ErrorState title="Your profile could not be loaded." onRetry={() => void profile.refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Dialog>
  );
}

interface FormProps {
  phone: string;
  ruleAlerts: number;
  onClose: () => void;
}

function Form({ phone, ruleAlerts, onClose }: FormProps) {
  const client = useQueryClient();
  const user = useUser();
  const isPerson = can(useActor(), 'alarm.read');
  const [startPage, setStartPage] = useState(user.start_page ?? 'reports');
  const [locale, setLocale] = useState(user.locale);
  const [phoneNumber, setPhoneNumber] = useState(phone);
  const [methods, setMethods] = useState({
    emailNotification: user.email_notification,
    smsNotification: user.sms_notification,
    whatsappNotification: user.whatsapp_notification,
    appsNotification: user.apps_notification,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const isUnreachable = !Object.values(methods).some(Boolean);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = isPerson ? userErrors({ ...emptyUser.values, ...methods, phoneNumber }).phoneNumber : undefined;
    setProblem(wrong ?? null);
    if (wrong) return;
    setSaving(true);
    try {
      if (isPerson) await saveOwnMethods({ ...methods, phoneNumber });
      await saveOwnProfile({ startPage, locale });
      onClose();
      toast.success('Your profile is saved.');
      await client.invalidateQueries({ queryKey: ['user'] });
      await refreshSession('expired');
    } catch (error) {
      if (isPerson && error instanceof ApiError) setProblem(messageOf(error));
      else toast.error(messageOf(error));
      setSaving(false);
    }
  };
  const method = (name: keyof typeof methods, label: string) => (
    <Checkbox
      label={label}
      checked={methods[name]}
      onChange={(event) => setMethods({ ...methods, [name]: event.currentTarget.checked })}
    />
  );
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void save(event)}>
      {isPerson ? (
        <NativeSelect
          label="Start page"
          description="The page that opens after you sign in"
          data={startPages}
          value={startPage}
          onChange={(event) => setStartPage(event.currentTarget.value)}
        />
      ) : null}
      <NativeSelect
        label="Dates and numbers"
        description={<Example locale={locale} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={LOCALES.map(({ value, label }) => ({ value, label }))}
        value={locale}
        onChange={(event) => setLocale(event.currentTarget.value)}
      />
      {isPerson ? (
        <>
          <fieldset className={classes.methods}>
            <legend>Notify me by</legend>
            {method('emailNotification', `E-mail to ${user.email}`)}
            {method('smsNotification', 'SMS')}
            {method('whatsappNotification', 'WhatsApp')}
            {method('appsNotification', 'App push, on each device where you turn it on')}
          </fieldset>
          <p className={classes.warning} role="status" hidden={!isUnreachable}>
            <TbAlertTriangle size={16} strokeWidth={1.75} aria-hidden />
            {isUnreachable ? unreachableWords(ruleAlerts) : null}
          </p>
          <TextInput
            label="Phone number"
            type="tel"
            placeholder="+49 151 23456789"
            maxLength={32}
            autoComplete="tel"
            value={phoneNumber}
            error={problem}
            onChange={(event) => setPhoneNumber(event.currentTarget.value)}
          />
        </>
      ) : null}
      <div className={dialogClasses.choices}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving}>
          Save
        </Button>
      </div>
    </form>
  );
}

function unreachableWords(ruleAlerts: number): string {
  if (ruleAlerts === 0) return 'With all methods off, you see alarms only in the console.';
  const named = `You are a recipient of ${ruleAlerts} rule ${plural(ruleAlerts, 'alert')}.`;
  return `${named} With all methods off, ${ruleAlerts === 1 ? 'its' : 'their'} alarms do not reach you.`;
}

function Example({ locale }: { locale: string }) {
  const tag = locale === '' ? navigator.language : locale;
  const timeZone = useTimeZone();
  return (
    <>
      {numberFormat(tag, {}).format(1234567.5)}, {formatOnPaper(now(), timeZone, tag)}
    </>
  );
}
