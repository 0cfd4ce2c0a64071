import type { SiteKind } from './kind.ts';
import { above, analog, battery, counter, digital, inState } from './kind.ts';

import { booster, borehole, districtMeter, reservoir, treatmentWorks } from './kinds-clean.ts';
import { overflow, pumpStation, sluice } from './kinds-waste.ts';

const coldStore: SiteKind = {
  code: 'CS',
  type: 'Cold store',
  category: 'Cold chain',
  suffix: 'Cold Store',
  healthHours: 1,
  assets: [
    {
      name: 'Cold room 1',
      description: 'Frozen, 640 pallets',
      points: [
        analog(
          'Air temperature',
          '°C',
          1,
          [-22.5, -17.5],
          'coldRoom',
          above(-15, '{asset} temperature high', {
            severity: 'critical',
            debounce: 120,
            reasons: 'cold',
            perWeek: 0.14,
            minutes: 45,
            far: 4,
          }),
        ),
        analog('Humidity', '%', 0, [78, 92], 'wander'),
        digital('Door', ['Closed', 'Open'], 'opened'),
      ],
    },
    {
      name: 'Chiller A',
      description: 'Screw compressor, ammonia',
      points: [
        digital('Compressor', ['Stopped', 'Running'], 'compressor'),
        analog('Motor current', 'A', 1, [0, 36], 'compressorCurrent'),
        analog(
          'Run time',
          'min',
          0,
          [12, 38],
          'wander',
          above(45, 'Compressor run time long', {
            severity: 'minor',
            debounce: 60,
            reasons: 'cold',
            perWeek: 0.2,
            minutes: 35,
            far: 12,
          }),
        ),
        analog('Discharge pressure', 'bar', 1, [12.5, 15.5], 'held'),
      ],
    },
    {
      name: 'Dock 2',
      description: 'Loading dock with air curtain',
      points: [
        digital(
          'Door',
          ['Closed', 'Open'],
          'never',
          inState(1, 'Dock door open', {
            severity: 'minor',
            debounce: 600,
            reasons: 'door',
            perWeek: 0.45,
            minutes: 28,
          }),
        ),
        analog('Air temperature', '°C', 1, [4, 11], 'wander'),
        counter('Openings today', '', [0, 44], 'daily'),
      ],
    },
  ],
};

const repeater: SiteKind = {
  code: 'RP',
  type: 'Repeater',
  category: 'Network',
  suffix: 'Repeater',
  healthHours: 1,
  assets: [
    {
      name: 'Mast',
      description: 'Solar radio repeater',
      points: [battery, analog('Solar current', 'A', 1, [0, 4.8], 'sun')],
    },
  ],
};

/** Kinds of sites, keyed by the prefix of their site IDs. */
export const kinds = {
  PS: pumpStation,
  SR: reservoir,
  CS: coldStore,
  BS: booster,
  TW: treatmentWorks,
  BH: borehole,
  DM: districtMeter,
  CO: overflow,
  RP: repeater,
  SL: sluice,
} as const;
export type KindCode = keyof typeof kinds;
