import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Answer, activate, changePassword, invitationUsed, register } from '../../api/auth.ts';
import { session } from '../../kit/session/session.ts';
import { recallUnverified } from '../../kit/session/unverified.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useStore } from '../../ui/store.ts';
import { AuthFrame } from './AuthFrame.tsx';
import classes from './auth.module.css';
import { type Invitation, invitationOf, parseInvitation } from './invitation.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { passwordMode } from './password-mode.ts';
import { VerifyCode } from './VerifyCode.tsx';

/** Page for activating an account, verifying an account or changing the password. The URL selects the mode. */
export function PasswordPage() {
  const mode = passwordMode(useLocation({ select: (location) => location.pathname }));
  return mode === 'activation' ? <Activation /> : mode === 'verify' ? <Verification /> : <Change />;
}

function Activation() {
  const search = useLocation({ select: (location) => location.search }) as Record<string, unknown>;
  const invitation = invitationOf(search);
  const again = search.again === 'yes';
  const [otherHostAnswer, setOtherHostAnswer] = useState<Answer | null>(null);
  const used = useIsInvitationUsed(invitation);
  if (otherHostAnswer !== null) {
    return <OtherHostNotice answer={otherHostAnswer} />;
  }
  if (used) {
    return <UsedInvitation />;
  }
  return (
    <AuthFrame
      tab={again ? 'New password' : 'Activation'}
      title={again ? 'Choose a new password' : 'Activate your account'}
    >
      {invitation ? null : (
        <p className={classes.text}>Paste the link from your invitation e-mail, then choose a password.</p>
      )}
      {used === null ? (
        <div className={classes.form} role="status" aria-label="Loading">
          {[0, 1, 2].map((field) => (
            <Skeleton key={field} width="100%" height={42} />
          ))}
        </div>
      ) : (
        <NewPasswordForm
          first={
            invitation
              ? { label: 'Code', kind: 'code', value: invitation.code }
              : {
                  label: 'Invitation link',
                  kind: 'link',
                  check: (text) => (parseInvitation(text) ? null : 'Paste the whole link from the e-mail.'),
                }
          }
          button={again ? 'Set password' : 'Activate'}
          onSubmit={({ first, password, confirmation }) => {
            const person = invitation ? { ...invitation, code: first } : parseInvitation(first);
            return activate({
              uuid: person?.uuid ?? '',
              code: person?.code ?? '',
              currentPassword: '',
              password,
              confirmation,
            });
          }}
          onOtherHost={setOtherHostAnswer}
        />
      )}
      <Link className={classes.link} to="/auth/login">
        Back
      </Link>
    </AuthFrame>
  );
}

/**
 * Checks once, when the page opens, whether the invitation was already used. Returns null until the result is known.
 */
function useIsInvitationUsed(invitation: Invitation | null): boolean | null {
  const [used, setUsed] = useState<boolean | null>(null);
  const { uuid, code } = invitation ?? { uuid: '', code: '' };
  useEffect(() => {
    let isShown = true;
    const tell = (answer: boolean) => {
      if (isShown) setUsed(answer);
    };
    if (uuid === '') return;
    // If the check fails, show the form, which reports an error on submit.
    invitationUsed({ uuid, code }).then(tell, () => tell(false));
    return () => {
      isShown = false;
    };
  }, [uuid, code]);
  return invitation === null ? false : used;
}

/** Notice for an invitation that was already used. It replaces the form, because the server would reject the input. */
function UsedInvitation() {
  return (
    <AuthFrame tab="Link used" title="This link has been used">
      <p className={classes.text} role="status">
        Each link works only once, and this link has already been used to set a password. Sign in with that password. If
        you did not set it, ask your manager for a new link.
      </p>
      <Button className={classes.submit} component={Link} to="/auth/login" size="md">
        Sign in
      </Button>
      <Link className={classes.link} to="/auth/forgot">
        I forgot my password
      </Link>
    </AuthFrame>
  );
}

/**
 * Notice after an account was activated under another customer's host name. The user cannot sign in there, so the
 * notice links to the right host name.
 */
function OtherHostNotice({ answer }: { answer: Answer }) {
  const url = answer.sign_in_url;
  return (
    <AuthFrame tab="Password set" title="Your password is set">
      <p className={classes.text} role="status">
        {answer.message}
      </p>
      {url ? (
        <Button className={classes.submit} component="a" href={`${url}/auth/login`} size="md">
          Sign in at {new URL(url).host}
        </Button>
      ) : null}
    </AuthFrame>
  );
}

function Verification() {
  const person = recallUnverified();
  if (person === null) {
    return (
      <AuthFrame tab="Verification" title="Verify your account">
        <p className={classes.text}>
          Sign in first. You will then receive an e-mail with a code to enter on this page.
        </p>
        <Link className={classes.link} to="/auth/login">
          Back to login
        </Link>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame tab="Verification" title="Verify your account">
      <VerifyCode person={person} />
      <NewPasswordForm
        account={person.email}
        first={{ label: 'Code', kind: 'code' }}
        button="Verify"
        onSubmit={({ first, password, confirmation }) =>
          register({ uuid: person.uuid, code: first, currentPassword: '', password, confirmation })
        }
      />
      <Link className={classes.link} to="/auth/login">
        Back
      </Link>
    </AuthFrame>
  );
}

function Change() {
  const current = useStore(session);
  const user = current.status === 'in' ? current.user : null;
  return (
    <AuthFrame tab="Change password" title="Change Password">
      <NewPasswordForm
        account={user?.email}
        first={{ label: 'Current password', kind: 'password' }}
        button="Change Password"
        onSubmit={({ first, password, confirmation }) =>
          changePassword({ uuid: user?.uuid ?? '', code: null, currentPassword: first, password, confirmation })
        }
      />
      <Link className={classes.link} to="/reports">
        Back
      </Link>
    </AuthFrame>
  );
}
