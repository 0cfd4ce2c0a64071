import type { KeyObject } from 'node:crypto';
import { context, lambda, SafeError, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { checkAlarmLink } from '../../notification/link.ts';
import type { Clock } from '../../platform/clock.ts';
import { setClaim } from '../adaptor.ts';

const REFUSALS = {
  invalid: fieldSentences['alarm-link-invalid'],
  expired: 'This link has expired. Open the alarm from the list instead.',
};

/**
 * Verifies the link that a client passes to `acknowledgeAlarm`. Passes the verified alarm and method to the mutation's
 * transaction as a setting, which tocsin_private.method_of_link reads. Clients cannot set this setting, so they cannot
 * forge a method.
 */
export const AlarmLinkPlugin = wrapPlans(
  {
    Mutation: {
      acknowledgeAlarm: (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
        const $context = context() as never as { get(name: string): Step };
        const $key = lambda($context.get('alarmLinkKey'), (read: () => Promise<KeyObject>) => read());
        sideEffect(
          [
            ...[$context.get('pgSettings'), $context.get('clock'), $key],
            ...[fieldArgs.getRaw(['input', 'link']), fieldArgs.getRaw(['input', 'uuid'])],
          ] as never,
          ([settings, clock, key, link, uuid]: [object, Clock, KeyObject, string | null | undefined, string]) => {
            if (link === null || link === undefined) return;
            const check = checkAlarmLink(key, link, uuid, clock.now());
            if (!check.ok) throw new SafeError(REFUSALS[check.because], { code: 'BAD_USER_INPUT', field: 'link' });
            setClaim(settings, 'tocsin.verified_link', `${uuid} ${check.method}`);
          },
        );
        return plan();
      },
    },
  } as never,
  { name: 'TocsinAlarmLinkPlugin' },
);
