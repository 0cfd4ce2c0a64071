import { context, SafeError, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import { type AddressRules, checkUrl, PRIVATE_SENTENCE, resolveHost } from '../../destination/address.ts';
import { setClaim } from '../adaptor.ts';

/**
 * Checks the URL of `saveDestination`: its form, and every address of its host. Passes the checked URL to the mutation's
 * transaction as a setting, which tocsin_private.checked_url reads. Clients cannot set this setting, so they cannot
 * store an unchecked URL. Every delivery checks the addresses again.
 */
export const DestinationUrlPlugin = wrapPlans(
  {
    Mutation: {
      saveDestination: (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
        const $context = context() as never as { get(name: string): Step };
        sideEffect(
          [$context.get('pgSettings'), $context.get('webhookRules'), fieldArgs.getRaw(['input', 'url'])] as never,
          async ([settings, rules, given]: [object, AddressRules, string | null | undefined]) => {
            if (given === null || given === undefined) return;
            const checked = checkUrl(given, rules);
            if (!checked.ok) throw refusal(checked.sentence);
            const { url } = checked;
            const resolved = await resolveHost(url.hostname, rules);
            if (!resolved.ok) {
              throw refusal(
                resolved.because === 'private'
                  ? PRIVATE_SENTENCE
                  : `The host ${url.hostname} was not found. Check the spelling of the URL.`,
              );
            }
            setClaim(settings, 'tocsin.checked_url', JSON.stringify({ given, url: url.href, host: url.host }));
          },
        );
        return plan();
      },
    },
  } as never,
  { name: 'TocsinDestinationUrlPlugin' },
);

function refusal(sentence: string): SafeError {
  return new SafeError(sentence, { code: 'BAD_USER_INPUT', field: 'url' });
}
