import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbChevronRight } from 'react-icons/tb';
import { methodNames } from '../../../domain/notification/methods.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../../kit/format/number.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { ErrorState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { linksIn } from './message-links.ts';
import classes from './Outbox.module.css';
import { outboxQuery } from './outbox.queries.ts';

const PAGE = 20;

/**
 * Lists the messages that were not sent because their method has no sender, such as invitations and alarm
 * notifications.
 */
export function Outbox() {
  const [first, setFirst] = useState(PAGE);
  const kept = useQuery(outboxQuery(first));
  if (kept.isError) {
    return (
      <section className={classes.outbox} aria-label="Outbox">
        <h2>Outbox</h2>
        <Card>
          <ErrorState title="The outbox could not be loaded" onRetry={() => void kept.refetch()}>
            {messageOf(kept.error)}
          </ErrorState>
        </Card>
      </section>
    );
  }
  if (!kept.data) return null;
  const { total, messages } = kept.data;
  return (
    <section className={classes.outbox} aria-label="Outbox">
      <h2>Outbox</h2>
      <p className={classes.lead}>
        {total === 0
          ? 'No messages. If a method has no sender, its messages appear here. Only owners see them.'
          : `${counted(total, 'message')} not sent, newest first. Only owners see them.`}
      </p>
      <ul className={classes.messages}>
        {messages.map(({ uuid, methodType, address, subject, body, createdAt }) => (
          <li key={uuid}>
            <details className={classes.message}>
              <summary>
                <TbChevronRight size={16} aria-hidden />
                <span className={classes.age}>
                  <Age at={createdAt} /> ago
                </span>
                <span className={classes.way}>{methodNames[methodType as keyof typeof methodNames]}</span>
                <span className={classes.address}>{address}</span>
                <span className={classes.subject}>{subject || body}</span>
              </summary>
              <pre>{body}</pre>
              {linksIn(body).map((link) => (
                <div key={link} className={classes.link}>
                  <CopyLine label="link">{link}</CopyLine>
                </div>
              ))}
            </details>
          </li>
        ))}
      </ul>
      {total > messages.length ? (
        <Button variant="default" loading={kept.isPlaceholderData} onClick={() => setFirst(first + PAGE)}>
          Show more
        </Button>
      ) : null}
    </section>
  );
}
