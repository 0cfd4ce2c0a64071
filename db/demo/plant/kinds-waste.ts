/** Site kinds for waste water and drainage. */
import type { AssetKind, SiteKind } from './kind.ts';
import { above, analog, battery, below, digital, inState, power } from './kind.ts';

const wetWell: AssetKind = {
  name: 'Wet well',
  description: 'Concrete, 5 m deep',
  points: [
    analog(
      'Level',
      'm',
      2,
      [1, 2.7],
      'sawtooth',
      above(4.2, '{asset} level high', {
        severity: 'critical',
        debounce: 120,
        reasons: 'level',
        perWeek: 0.12,
        minutes: 50,
        far: 0.5,
      }),
      below(0.8, '{asset} level low', {
        severity: 'minor',
        debounce: 300,
        reasons: 'level',
        perWeek: 0.04,
        minutes: 35,
        far: 0.3,
      }),
    ),
  ],
};

const pump: AssetKind = {
  name: 'Pump 1',
  description: 'Submersible, duty',
  points: [
    { ...digital('Running', ['Stopped', 'Running'], 'pumping'), haltedBy: 'Trip' },
    { ...analog('Motor current', 'A', 1, [0, 32], 'pumpCurrent'), haltedBy: 'Trip' },
    analog(
      'Bearing vibration',
      'mm/s',
      1,
      [1.8, 5.2],
      'wander',
      above(7.1, 'Bearing vibration high', {
        severity: 'minor',
        debounce: 600,
        reasons: 'pump',
        perWeek: 0.08,
        minutes: 90,
        far: 1.2,
      }),
    ),
    digital(
      'Trip',
      ['Healthy', 'Tripped'],
      'never',
      inState(1, '{asset} tripped', { severity: 'major', debounce: 10, reasons: 'pump', perWeek: 0.12, minutes: 40 }),
    ),
  ],
};

export const pumpStation: SiteKind = {
  code: 'PS',
  type: 'Pump station',
  category: 'Waste',
  suffix: 'SPS',
  healthHours: 1,
  assets: [wetWell, pump, power],
};

export const overflow: SiteKind = {
  code: 'CO',
  type: 'Overflow',
  category: 'Waste',
  suffix: 'CSO',
  healthHours: 6,
  assets: [
    {
      name: 'Chamber',
      description: 'Combined sewer overflow',
      points: [
        analog(
          'Spill level',
          'm',
          2,
          [0, 0.4],
          'quiet',
          above(0.6, 'Spill level high', {
            severity: 'major',
            debounce: 120,
            reasons: 'level',
            perWeek: 0.25,
            minutes: 90,
            far: 0.4,
          }),
        ),
      ],
    },
    { name: 'Cabinet', description: 'Battery logger', points: [battery, digital('Door', ['Closed', 'Open'], 'never')] },
  ],
};

export const sluice: SiteKind = {
  code: 'SL',
  type: 'Sluice',
  category: 'Drainage',
  suffix: 'Sluice',
  healthHours: 6,
  assets: [
    {
      name: 'Gate',
      description: 'Penstock with actuator',
      points: [
        analog(
          'Upstream level',
          'm',
          2,
          [0.6, 1.9],
          'wander',
          above(2.6, 'Upstream level high', {
            severity: 'major',
            debounce: 300,
            reasons: 'level',
            perWeek: 0.25,
            minutes: 150,
            far: 0.5,
          }),
        ),
        analog('Position', 'm', 2, [0.7, 1.3], 'reservoir'),
      ],
    },
    power,
  ],
};
