/** Generated sequences in which alarms of causes and of their consequences open and end, in one or more requests. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../harness/long.ts';
import { type DependentStation, type Name, names, notifiedOf, openOf, Scene, sendFrames } from './dependency-plant.ts';
import type { Plant } from './plant.ts';

let plant: Plant;
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
  plant = scene.plant;
});
afterAll(() => plant?.close());

type Causes = Partial<Record<Name, Name[]>>;

const graphs: readonly Causes[] = [
  { Flow: ['Power'] },
  { Flow: ['Pump'], Pump: ['Power'] },
  { Flow: ['Pump', 'Power'] },
  { Flow: ['Pump', 'Power'], Pump: ['Power'] },
];

/** Returns the direct and indirect causes of a rule. */
function causesOf(causes: Causes, name: Name): Set<Name> {
  const found = new Set<Name>();
  const visit = (one: Name) => {
    for (const cause of causes[one] ?? []) {
      if (found.has(cause)) continue;
      found.add(cause);
      visit(cause);
    }
  };
  visit(name);
  return found;
}

const frame = fc.record(
  Object.fromEntries(names.map((name) => [name, fc.constantFrom(50, 120)])) as Record<Name, fc.Arbitrary<number>>,
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      frames: fc.array(
        frame.filter((one) => Object.keys(one).length > 0),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(5, 700, 1800) }),
  },
);

async function countOf(station: DependentStation, name: Name): Promise<number> {
  return (await notifiedOf(plant, station, name)).filter((one) => !one.startsWith('resolve')).length;
}

test('nobody is notified of a consequence while a cause is in alarm, and somebody is of every other open alarm', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...graphs),
      fc.boolean(),
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (causes, isCritical, steps) => {
        const station = await scene.start(causes);
        if (isCritical) {
          await plant.query("update tocsin.rule set priority = 'critical' where uuid = $1", [station.rules.Flow]);
        }
        for (const one of steps) {
          const before = new Map<Name, { isQuiet: boolean; count: number }>();
          for (const name of names) {
            const alarm = await openOf(plant, station, name);
            before.set(name, { isQuiet: alarm?.quiet_because != null, count: await countOf(station, name) });
          }
          if (one.do === 'send') await sendFrames(plant, station, one.frames);
          else await plant.pass(one.seconds);
          await plant.settle();
          const inAlarm = new Set<Name>();
          for (const name of names) if (await openOf(plant, station, name)) inAlarm.add(name);
          for (const name of inAlarm) {
            const alarm = await openOf(plant, station, name);
            const openCauses = [...causesOf(causes, name)].filter((cause) => inAlarm.has(cause));
            const roots = openCauses.filter(
              (cause) => ![...causesOf(causes, cause)].some((other) => inAlarm.has(other)),
            );
            if (openCauses.length === 0) {
              expect(alarm.quiet_because).toBeNull();
              const rows = await plant.query(
                `select from tocsin.notification where tocsin_alarm_uuid = $1 and kind <> 'resolve'
                 union all select from tocsin_private.deferred_notification where tocsin_alarm_uuid = $1`,
                [alarm.uuid],
              );
              expect(rows.length).toBeGreaterThan(0);
              continue;
            }
            expect(alarm).toMatchObject({ quiet_because: 'dependency', quiet_until: null, next_escalation_at: null });
            const rootAlarms = await Promise.all(roots.map((root) => openOf(plant, station, root)));
            expect(rootAlarms.map(({ uuid }) => uuid)).toContain(alarm.quiet_source);
            // In a step in which only time passes, no cause opens or ends. An alarm that was quiet before must
            // therefore notify nobody.
            const was = before.get(name);
            if (one.do === 'pass' && was?.isQuiet) expect(await countOf(station, name)).toBe(was.count);
            if (alarm.opened_quiet === 'dependency' && alarm.reminders === 0) {
              const rows = await plant.query('select from tocsin.notification where tocsin_alarm_uuid = $1', [
                alarm.uuid,
              ]);
              expect(rows).toHaveLength(0);
            }
          }
        }
      },
    ),
    { numRuns: isLong ? 60 : 8, endOnFailure: true },
  );
});
