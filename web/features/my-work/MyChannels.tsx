import { lazy, Suspense } from 'react';
import { TbBrandWhatsapp, TbDeviceMobile, TbMail, TbMessage2 } from 'react-icons/tb';
import { roleOf } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import { useUser } from '../auth/session.ts';
import { PushChoice } from '../push/PushChoice.tsx';
import classes from './MyWork.module.css';

const OwnChannels = lazy(() => import('./OwnChannels.tsx').then((part) => ({ default: part.OwnChannels })));

/** By which ways this person is told. A manager keeps them, and an owner their own; whether this browser is one of them everybody says themself. */
export function MyChannels() {
  const user = useUser();
  const owner = roleOf(useActor()) === 'owner';
  const ways = [
    { name: 'E-mail', on: user.email_notification, icon: TbMail },
    { name: 'SMS', on: user.sms_notification, icon: TbMessage2 },
    { name: 'WhatsApp', on: user.whatsapp_notification, icon: TbBrandWhatsapp },
    { name: 'App push', on: user.apps_notification, icon: TbDeviceMobile },
  ];
  return (
    <section className={classes.card} aria-label="How I am told">
      <h2 className={classes.title}>How I am told</h2>
      <ul className={classes.ways}>
        {ways.map(({ name, on, icon: Icon }) => (
          <li key={name} data-on={on || undefined}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            {name} <b>{on ? 'on' : 'off'}</b>
          </li>
        ))}
      </ul>
      <PushChoice className={classes.push} />
      {owner ? (
        <div className={classes.more}>
          <Suspense>
            <OwnChannels />
          </Suspense>
        </div>
      ) : (
        <p className={classes.more}>
          {ways.some(({ on }) => on)
            ? 'An owner or a manager changes these ways.'
            : 'Nothing reaches you outside of this page. Ask an owner or a manager to switch a way on.'}
        </p>
      )}
    </section>
  );
}
