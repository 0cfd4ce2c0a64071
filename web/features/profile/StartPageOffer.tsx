import { Button } from '@mantine/core';
import { useState } from 'react';
import { START_PAGES, type StartPage } from '../../../domain/profile.ts';
import { messageOf } from '../../api/http.ts';
import { refreshSession, useUser } from '../../kit/session/session.ts';
import { toast } from '../../ui/toast/toast.ts';
import classes from './Profile.module.css';
import { saveOwnProfile } from './profile.queries.ts';

const pages = Object.entries(START_PAGES) as [StartPage, { label: string }][];

/** Offers a choice of start pages until the user chooses one. The user can change it later in the profile. */
export function StartPageOffer() {
  const user = useUser();
  const [busy, setBusy] = useState(false);
  if (user.start_page !== null) return null;
  const choose = async (page: StartPage) => {
    setBusy(true);
    try {
      await saveOwnProfile({ startPage: page, locale: user.locale });
      await refreshSession('expired');
      toast.success(`${START_PAGES[page].label} is now your start page. You can change it in your profile.`);
    } catch (error) {
      setBusy(false);
      toast.error(messageOf(error));
    }
  };
  return (
    <section className={classes.offer} aria-label="Start page">
      <span className={classes.words}>Which page do you want to start with?</span>
      {pages.map(([page, { label }]) => (
        <Button key={page} variant="default" size="xs" disabled={busy} onClick={() => void choose(page)}>
          {page === 'reports' ? `Keep ${label}` : label}
        </Button>
      ))}
    </section>
  );
}
