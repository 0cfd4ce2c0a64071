import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { refreshSession, useUser } from '../auth/session.ts';
import dialogClasses from '../record/RecordPanel.module.css';
import { emptyUser, userErrors } from '../user/user-form.ts';
import classes from './MyWork.module.css';
import { ownPhoneQuery, saveOwnChannels } from './own-channels.queries.ts';

const TITLE = 'How I am told';

/** The ways of an owner, who is in nobody's list. */
export function OwnChannels() {
  const [open, setOpen] = useState(false);
  const phone = useQuery(ownPhoneQuery(useUser().uuid));
  return (
    <>
      <Button variant="default" size="xs" disabled={phone.data === undefined} onClick={() => setOpen(true)}>
        Change
      </Button>
      {open && phone.data !== undefined ? <Form phone={phone.data} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Form({ phone, onClose }: { phone: string; onClose: () => void }) {
  const client = useQueryClient();
  const user = useUser();
  const [phoneNumber, setPhoneNumber] = useState(phone);
  const [ways, setWays] = useState({
    emailNotification: user.email_notification,
    smsNotification: user.sms_notification,
    whatsappNotification: user.whatsapp_notification,
    appsNotification: user.apps_notification,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = userErrors({ ...emptyUser.values, ...ways, phoneNumber }).phoneNumber;
    setProblem(wrong ?? null);
    if (wrong) return;
    setSaving(true);
    try {
      await saveOwnChannels({ ...ways, phoneNumber });
      await Promise.all([refreshSession('expired'), client.invalidateQueries({ queryKey: ['user'] })]);
      toast.success('Saved how you are told.');
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  const way = (name: keyof typeof ways, label: string) => (
    <Checkbox
      label={label}
      checked={ways[name]}
      onChange={(event) => setWays({ ...ways, [name]: event.currentTarget.checked })}
    />
  );
  return (
    <Dialog opened onClose={onClose} label={TITLE} head={<h2 className={dialogClasses.question}>{TITLE}</h2>}>
      <form className={classes.own} noValidate onSubmit={(event) => void save(event)}>
        {way('emailNotification', `E-mail to ${user.email}`)}
        {way('smsNotification', 'SMS')}
        {way('whatsappNotification', 'WhatsApp')}
        {way('appsNotification', 'App push, on each browser that allows it')}
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
        <div className={dialogClasses.choices}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
