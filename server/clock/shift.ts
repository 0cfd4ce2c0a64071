import type { Transaction } from '../platform/database.ts';

/**
 * Moves every pending deadline by the amount by which product time shifted at start, so that the remaining time stays
 * the same. Does not move times of past events. `server/clock/shift.db.test.ts` checks every time column of the
 * database.
 */
export async function shiftDeadlines(tx: Transaction, milliseconds: number): Promise<void> {
  const by = `$1::float8 * interval '1 millisecond'`;
  const shift = (text: string) => tx.query(text, [milliseconds]);

  // `since` and `event_time` are device times. They move only for live readings, whose device time equals server time.
  // They do not move for an alarm that waits for the end of a maintenance window, because the window does not move.
  await shift(
    `update tocsin_private.rule_state s set
       due_at = case when s.phase = 'pending' and s.opened_at > s.since then s.due_at else s.due_at + ${by} end, since = case when exists (
         select from tocsin.rule_transition t where t.watch_uuid = s.watch_uuid and t.at = s.since
           and t.noticed_at between t.at - interval '5 seconds' and t.at + interval '5 seconds') then s.since + ${by} else s.since end
     where s.due_at is not null`,
  );
  await shift('update tocsin_private.evaluator_shard set version = version + 1 where $1::float8 <> 0');
  await shift(
    `update tocsin.alarm a set next_escalation_at = a.next_escalation_at + ${by}, resumes_escalation_at = a.resumes_escalation_at + ${by}
     where a.next_escalation_at is not null or a.resumes_escalation_at is not null`,
  );
  // The times of a maintenance window do not move, because people planned them.
  await shift(
    `update tocsin.alarm a set quiet_until = a.quiet_until + ${by}
     where a.quiet_until is not null and a.quiet_because <> 'maintenance' and a.resolved_date is null`,
  );
  await shift(`update tocsin.shelving s set until = s.until + ${by} where s.ended_at is null`);
  // A notification fails permanently one day after `notify_time`, so that time moves too.
  await shift(
    `update tocsin.notification n set notify_time = n.notify_time + ${by}, next_attempt_at = n.next_attempt_at + ${by}
     where n.state = 'queued'`,
  );
  const eventTime = (
    known: string,
  ) => `case when event_time between ${known} - interval '5 seconds' and ${known} + interval '5 seconds'
    then event_time + ${by} else event_time end`;
  await shift(
    `update tocsin_private.last_notified set noted_at = noted_at + ${by}, event_time = ${eventTime('noted_at')}`,
  );
  await shift(
    `update tocsin_private.deferred_notification set due_at = due_at + ${by}, event_time = ${eventTime('due_at')}`,
  );
  // A delivery to a destination fails permanently one day after `queued_at`.
  await shift(
    `update tocsin.destination_delivery d set next_attempt_at = d.next_attempt_at + ${by}, queued_at = d.queued_at + ${by}
     where d.state = 'queued'`,
  );
  await shift(`update tocsin_private.destination_turn t set next_at = t.next_at + ${by}`);
  await shift(`update tocsin.alarm_flood f set ends_at = f.ends_at + ${by} where f.ended_at is null`);
  await shift(`update tocsin_private.digest_entry e set due_at = e.due_at + ${by}`);
  await shift(`update tocsin_private.digest_turn t set next_at = t.next_at + ${by}`);
  await shift(
    `update tocsin_private.session s set created_at = s.created_at + ${by}, last_seen_at = s.last_seen_at + ${by},
       expires_at = s.expires_at + ${by}`,
  );
  await shift(
    `update tocsin_private.one_time_code c set created_at = c.created_at + ${by}, expires_at = c.expires_at + ${by}
     where c.used_at is null`,
  );
  await shift(`update tocsin_private.pending_invitation p set requested_at = p.requested_at + ${by}`);
  await shift(
    `update tocsin_private.attempts a set wait_until = a.wait_until + ${by}, ends_at = a.ends_at + ${by},
       running_until = a.running_until + ${by}`,
  );
  await shift(`update tocsin_private.early_receipt r set created_at = r.created_at + ${by}`);
  await shift(
    `update tocsin.reply_message m set queued_on = m.queued_on + ${by}, sent_on = m.sent_on + ${by}, expires_on = m.expires_on + ${by}
     where m.delivered_on is null and m.cancelled_on is null`,
  );
  // A site goes offline when its health duration has passed since its last contact. The time of the last contact
  // therefore moves like a deadline.
  await shift(`update tocsin.site s set last_update = s.last_update + ${by} where s.site_status in (1, 2)`);
  await shift(`update tocsin.sensor s set last_contact = s.last_contact + ${by} where s.last_contact is not null`);
  await shift(
    `update tocsin_private.installation i set value = jsonb_build_object(
       'since', (i.value ->> 'since')::timestamptz + ${by}, 'until', (i.value ->> 'until')::timestamptz + ${by})
     where i.name = 'listening'`,
  );
}
