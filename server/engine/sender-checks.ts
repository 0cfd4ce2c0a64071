import type { Readiness } from '../process/readiness.ts';
import type { Sender } from '../sender/sender.ts';
import type { EngineModule } from './engine.ts';

/** Asks every configured sender each minute whether it can send, and reports a failing one with the heartbeat. */
export function senderChecks(senders: readonly Sender[], readiness: Readiness): EngineModule {
  const problems = new Map<Sender, string>();
  const external = senders.filter(({ isExternal }) => isExternal);
  for (const sender of external) readiness.report(`sender ${sender.title}`, () => problems.get(sender));
  return {
    name: 'sender checks',
    every: 60_000,
    ignoresClock: true,
    async tick() {
      await Promise.all(
        external.map(async (sender) => {
          const health = await sender.check();
          if (health.ok) problems.delete(sender);
          else problems.set(sender, health.problem);
        }),
      );
    },
  };
}
