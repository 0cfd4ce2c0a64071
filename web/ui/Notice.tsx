import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { IconType } from 'react-icons';
import { TbAlertCircle, TbLock, TbSearch } from 'react-icons/tb';
import classes from './Notice.module.css';

interface NoticeProps {
  icon: IconType;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  role?: 'status' | 'alert';
}

/** One line of why, one of what next, and the button for it. The base of the states below. */
function Notice({ icon: Icon, title, children, action, role }: NoticeProps) {
  return (
    <div className={classes.notice} role={role}>
      <Icon size={16} strokeWidth={1.75} />
      <div className={classes.text}>
        <b>{title}</b>
        {children ? <p>{children}</p> : null}
      </div>
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}

/** For a list or chart with nothing in it: says why, and offers the next step. */
export function EmptyState({
  icon = TbSearch,
  ...rest
}: Omit<NoticeProps, 'role' | 'icon'> & Partial<Pick<NoticeProps, 'icon'>>) {
  return <Notice icon={icon} role="status" {...rest} />;
}

interface ErrorStateProps {
  title: string;
  children?: ReactNode;
  onRetry?: () => void;
}

/** For what could not be loaded: says what happened, and tries again. */
export function ErrorState({ title, children, onRetry }: ErrorStateProps) {
  return (
    <Notice
      icon={TbAlertCircle}
      role="alert"
      title={title}
      action={
        onRetry ? (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        ) : null
      }
    >
      {children}
    </Notice>
  );
}

/** For what the person may not see: names who can help. */
export function NoPermission({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Notice icon={TbLock} title={title} action={action}>
      {children}
    </Notice>
  );
}
