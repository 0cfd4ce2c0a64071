/**
 * Several engines send messages from one queue. Their clocks differ, and each engine can be suspended at any point.
 * While an engine has the lease of a message, only this engine sends it. An engine that has lost its lease stores no
 * result.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { delivery, LEASE_MS } from '../../server/engine/delivery.ts';
import type { EngineModule } from '../../server/engine/engine.ts';
import { createComposer } from '../../server/notification/compose.ts';
import type { Clock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { silentLog } from '../../server/platform/log.ts';
import { METHOD, type Message, type Sender, type SendResult } from '../../server/sender/sender.ts';
import { openTestDatabase } from '../harness/database/database.ts';
import { type CustomerRow, createCustomer, insertRow, serviceQuery } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';

// Generated sequences take a long time on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let db: Database;
let customer: CustomerRow;
beforeAll(async () => {
  db = await openTestDatabase();
  customer = await createCustomer(db);
});
afterAll(() => db?.close());

/** Difference of each engine's clock from the database's clock: none, 90 s ahead and 90 s behind. */
const SKEWS_MS = [0, 90_000, -90_000];
const BEGIN = Date.parse('2026-03-02T08:00:00Z');

interface Send {
  engine: number;
  key: string;
  /** Database time at which the send began. */
  at: number;
  providerId: string;
  answer(outcome: 'sent' | 'retry'): void;
  answered?: { outcome: 'sent' | 'retry'; at: number };
}

/** Engines that share a queue. The test sets the database's clock. */
class Engines {
  /** Current time of the database's clock. */
  now = BEGIN;
  readonly sends: Send[] = [];
  readonly #modules: EngineModule[];

  constructor() {
    this.#modules = SKEWS_MS.map((skew, index) => {
      const clock: Clock = {
        now: () => new Date(this.now + skew),
        databaseNow: () => new Date(this.now),
      };
      const sender = this.#sender(index);
      const senders = {
        [METHOD.email]: sender,
        [METHOD.sms]: sender,
        [METHOD.whatsapp]: sender,
        [METHOD.push]: sender,
      };
      const key = () => Promise.reject(new Error('These messages have no link.'));
      const composer = createComposer({ db, clock, key, publicUrl: 'https://console.example' });
      const [byEmail] = delivery({ db, clock, log: silentLog, senders, composer, reporting: new Set() });
      return byEmail as EngineModule;
    });
  }

  #sender(engine: number): Sender {
    return {
      ...{ name: 'test', title: 'Test', methodType: METHOD.email, isExternal: true, atOnce: 2 },
      checkAddress: () => undefined,
      check: async () => ({ ok: true }),
      close: async () => {},
      send: ({ idempotencyKey: key }: Message) =>
        new Promise<SendResult>((resolve) => {
          const send: Send = {
            ...{ engine, key, at: this.now, providerId: `${engine}-${this.sends.length}` },
            answer: (outcome) => {
              send.answered = { outcome, at: this.now };
              if (outcome === 'sent') resolve({ outcome, providerId: send.providerId, answer: 'OK' });
              else resolve({ outcome, because: 'Try again.' });
            },
          };
          this.sends.push(send);
        }),
    };
  }

  async tick(engine: number): Promise<void> {
    await this.#modules[engine]!.tick(new Date(this.now + SKEWS_MS[engine]!));
    await this.quiet();
  }

  /** Waits until the engines start no further sends. */
  async quiet(): Promise<void> {
    for (let seen = -1; seen !== this.sends.length; ) {
      seen = this.sends.length;
      // All engines share one connection pool. Each of these queries therefore runs only after the queries that the
      // engines have already queued.
      for (let round = 0; round < 4; round += 1) await serviceQuery(db, 'select 1');
    }
  }

  pending(): Send[] {
    return this.sends.filter(({ answered }) => !answered);
  }

  stop(): void {
    for (const module of this.#modules) module.stop?.();
    for (const send of this.pending()) send.answer('retry');
  }
}

const event = fc.oneof(
  fc.record({ kind: fc.constant('tick' as const), engine: fc.nat(2) }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 20 }) }),
  fc.record({
    kind: fc.constant('answer' as const),
    which: fc.nat(5),
    outcome: fc.constantFrom('sent' as const, 'retry' as const),
  }),
);

const stored = () =>
  serviceQuery<{ key: string; state: string; provider_id: string; attempts: number }>(
    db,
    'select idempotency_key as key, state, provider_id, attempts from tocsin.notification',
  );

test('sends each message once per lease, and only the holder of the lease stores the result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 20 }), async (events) => {
      await serviceQuery(db, 'delete from tocsin.notification');
      const engines = new Engines();
      for (const name of ['one', 'two']) {
        await insertRow(db, 'tocsin.notification', {
          ...{ tocsin_customer_uuid: customer.uuid, recipient_name: name, address: `${name}@plant.example` },
          ...{ method_type: 1, message_type: 4, notify_message: 'Level high', subject: 'Level high' },
          ...{ notify_time: new Date(BEGIN - 600_000), next_attempt_at: new Date(BEGIN - 600_000) },
        });
      }
      /** The provider ID that was first stored for each message, keyed by the message's key. */
      const settled = new Map<string, string>();
      try {
        for (const item of events) {
          if (item.kind === 'tick') await engines.tick(item.engine);
          else if (item.kind === 'pass') engines.now += item.seconds * 1000;
          else {
            const pending = engines.pending();
            pending[item.which % Math.max(pending.length, 1)]?.answer(item.outcome);
            await engines.quiet();
          }
          check(engines.sends);
          for (const { key, state, provider_id } of await stored()) {
            if (state !== 'sent') continue;
            if (!settled.has(key)) settled.set(key, provider_id);
            expect(provider_id, 'a stored result stays').toBe(settled.get(key));
          }
        }
        // After any sequence of events, a single engine must be able to send all messages that are still queued.
        for (const send of engines.pending()) send.answer('retry');
        await engines.quiet();
        for (let round = 0; round < 40 && (await stored()).some(({ state }) => state === 'queued'); round += 1) {
          engines.now += 120_000;
          await engines.tick(0);
          for (const send of engines.pending()) send.answer('sent');
          await engines.quiet();
        }
        expect((await stored()).map(({ state }) => state)).toEqual(['sent', 'sent']);
      } finally {
        engines.stop();
        await engines.quiet();
      }
    }),
    { numRuns: isLong ? 50 : 8, interruptAfterTimeLimit: 60_000 },
  );
});

/** Checks that no send begins while another engine holds the lease of the same message. */
function check(sends: readonly Send[]): void {
  for (const [index, later] of sends.entries()) {
    for (const earlier of sends.slice(0, index)) {
      if (earlier.key !== later.key) continue;
      const released = earlier.answered !== undefined && earlier.answered.at <= later.at;
      const expired = later.at - earlier.at >= LEASE_MS;
      const who = `engine ${later.engine} sent ${later.at - earlier.at} ms after engine ${earlier.engine}`;
      expect(released || expired, who).toBe(true);
    }
  }
}
