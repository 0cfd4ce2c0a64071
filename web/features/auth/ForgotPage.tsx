import { Link } from '@tanstack/react-router';
import { TbBrandWhatsapp, TbMail } from 'react-icons/tb';
import { readPhoneNumber } from '../../../domain/notification/phone-number.ts';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import { AuthFrame } from './AuthFrame.tsx';
import classes from './auth.module.css';
import { ForgotForm } from './ForgotForm.tsx';

export function ForgotPage() {
  const { contact, mail } = usePublicConfig();
  return (
    <AuthFrame tab="Forgot password" title="Forgot Password?">
      <p className={classes.text}>
        {contact.email || contact.phone
          ? 'Contact your provider for a password reset, by e-mail or by messaging app.'
          : 'Contact your provider for a password reset, or ask your manager for a link.'}
      </p>
      {contact.email || contact.phone ? (
        <div className={classes.contacts}>
          {contact.email ? (
            <a className={classes.contact} href={`mailto:${contact.email}`}>
              <TbMail size={16} strokeWidth={1.75} aria-hidden />
              {contact.email}
            </a>
          ) : null}
          {contact.phone ? (
            <a className={classes.contact} href={whatsappLink(contact.phone)} rel="noreferrer">
              <TbBrandWhatsapp size={16} strokeWidth={1.75} aria-hidden />
              {contact.phone}
            </a>
          ) : null}
        </div>
      ) : null}
      {mail ? <ForgotForm /> : null}
      <Link className={classes.link} to="/auth/login">
        Back
      </Link>
    </AuthFrame>
  );
}

function whatsappLink(phone: string): string {
  return `https://wa.me/${(readPhoneNumber(phone) ?? phone).replace(/\D/g, '')}`;
}
