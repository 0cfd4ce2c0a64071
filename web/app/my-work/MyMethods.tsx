import { Button } from '@mantine/core';
import { TbBrandWhatsapp, TbDeviceMobile, TbMail, TbMessage2 } from 'react-icons/tb';
import { isProfileOpen } from '../../features/profile/index.ts';
import { PushChoice } from '../../features/push/index.ts';
import { useUser } from '../../kit/session/session.ts';
import classes from './MyWork.module.css';

export function MyMethods() {
  const user = useUser();
  const ways = [
    { name: 'E-mail', on: user.email_notification, icon: TbMail },
    { name: 'SMS', on: user.sms_notification, icon: TbMessage2 },
    { name: 'WhatsApp', on: user.whatsapp_notification, icon: TbBrandWhatsapp },
    { name: 'App push', on: user.apps_notification, icon: TbDeviceMobile },
  ];
  return (
    <section className={classes.card} aria-label="Notification methods">
      <h2 className={classes.title}>Notification methods</h2>
      <ul className={classes.ways}>
        {ways.map(({ name, on, icon: Icon }) => (
          <li key={name} data-on={on || undefined}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            {name} <b>{on ? 'on' : 'off'}</b>
          </li>
        ))}
      </ul>
      <PushChoice className={classes.push} />
      <div className={classes.more}>
        {ways.some(({ on }) => on) ? null : <p>Every method is off: alarms reach you only in the console.</p>}
        <Button variant="default" size="xs" onClick={() => isProfileOpen.set(true)}>
          Change
        </Button>
      </div>
    </section>
  );
}
