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

/** Base component of the notices below: shows a title, an explanation and a button. */
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

/** Notice for an empty list or chart. It shows the reason and offers the next step. */
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

/** Notice shown when loading has failed. It explains what happened and offers a retry. */
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

/** Notice shown instead of content that the user is not allowed to see. It tells the user who can help. */
export function NoPermission({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Notice icon={TbLock} title={title} action={action}>
      {children}
    </Notice>
  );
}
