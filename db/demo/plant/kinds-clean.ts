/** Site kinds for drinking water. */
import type { SiteKind } from './kind.ts';
import { above, analog, battery, below, counter, digital, inState, power } from './kind.ts';

export const reservoir: SiteKind = {
  code: 'SR',
  type: 'Reservoir',
  category: 'Clean',
  suffix: 'Reservoir',
  healthHours: 1,
  assets: [
    {
      name: 'Cell A',
      description: 'Covered service reservoir',
      points: [
        analog(
          'Level',
          'm',
          2,
          [2.6, 6.4],
          'reservoir',
          below(2, 'Reservoir level low', {
            severity: 'major',
            debounce: 300,
            reasons: 'supply',
            perWeek: 0.12,
            minutes: 110,
            far: 0.3,
          }),
          above(6.8, 'Reservoir level high', {
            severity: 'minor',
            debounce: 300,
            reasons: 'level',
            perWeek: 0.06,
            minutes: 60,
            far: 0.2,
          }),
        ),
        analog('Inlet flow', 'm³/h', 1, [30, 110], 'wander'),
      ],
    },
    {
      name: 'Kiosk',
      description: 'Telemetry kiosk',
      points: [
        digital(
          'Hatch',
          ['Closed', 'Open'],
          'never',
          inState(1, 'Hatch open', { severity: 'minor', debounce: 60, reasons: 'door', perWeek: 0.15, minutes: 30 }),
        ),
        battery,
      ],
    },
  ],
};

export const booster: SiteKind = {
  code: 'BS',
  type: 'Booster',
  category: 'Clean',
  suffix: 'Booster',
  healthHours: 1,
  assets: [
    {
      name: 'Pump 1',
      description: 'Inline booster with drive',
      points: [
        analog(
          'Discharge pressure',
          'bar',
          1,
          [3.4, 5.2],
          'held',
          below(2.5, 'Discharge pressure low', {
            severity: 'minor',
            debounce: 120,
            reasons: 'supply',
            perWeek: 0.3,
            minutes: 35,
            far: 0.6,
          }),
        ),
        analog('Suction pressure', 'bar', 1, [1.2, 2.2], 'held'),
        digital('Running', ['Stopped', 'Running'], 'steady'),
      ],
    },
    power,
  ],
};

export const treatmentWorks: SiteKind = {
  code: 'TW',
  type: 'Treatment works',
  category: 'Clean',
  suffix: 'WTW',
  healthHours: 1,
  assets: [
    {
      name: 'Contact tank',
      description: 'Chlorine contact, 30 min',
      points: [
        analog(
          'Chlorine',
          'mg/L',
          2,
          [0.34, 0.58],
          'wander',
          below(0.2, 'Chlorine residual low', {
            severity: 'major',
            debounce: 180,
            reasons: 'quality',
            perWeek: 0.25,
            minutes: 40,
            far: 0.06,
          }),
          above(0.9, 'Chlorine residual high', {
            severity: 'major',
            debounce: 180,
            reasons: 'quality',
            perWeek: 0.08,
            minutes: 30,
            far: 0.15,
          }),
        ),
        analog('pH', '', 2, [7.1, 7.7], 'wander'),
      ],
    },
    {
      name: 'Filter 4',
      description: 'Rapid gravity filter',
      points: [
        analog(
          'Turbidity',
          'NTU',
          2,
          [0.08, 0.32],
          'wander',
          above(0.5, 'Turbidity high', {
            severity: 'minor',
            debounce: 120,
            reasons: 'quality',
            perWeek: 0.45,
            minutes: 50,
            far: 0.15,
          }),
        ),
        analog('Head loss', 'm', 2, [0.4, 1.7], 'reservoir'),
      ],
    },
    {
      name: 'Outlet',
      description: 'High lift main',
      points: [analog('Flow', 'm³/h', 0, [180, 420], 'demand'), counter('Volume', 'm³', [0, 6_500_000], 'total')],
    },
  ],
};

export const borehole: SiteKind = {
  code: 'BH',
  type: 'Borehole',
  category: 'Clean',
  suffix: 'Borehole',
  healthHours: 2,
  assets: [
    {
      name: 'Borehole',
      description: 'Duty borehole, 60 m',
      points: [
        analog(
          'Water depth',
          'm',
          1,
          [11, 24],
          'wander',
          below(8, 'Water depth low', {
            severity: 'minor',
            debounce: 600,
            reasons: 'supply',
            perWeek: 0.25,
            minutes: 120,
            far: 1.5,
          }),
        ),
        analog('Flow', 'm³/h', 1, [22, 46], 'held'),
        digital('Running', ['Stopped', 'Running'], 'steady'),
      ],
    },
    power,
  ],
};

export const districtMeter: SiteKind = {
  code: 'DM',
  type: 'District meter',
  category: 'Network',
  suffix: 'DMA',
  healthHours: 24,
  assets: [
    {
      name: 'Meter',
      description: 'Electromagnetic, 150 mm',
      points: [
        analog(
          'Net flow',
          'm³/h',
          1,
          [6, 27],
          'demand',
          above(30, 'Night flow high', {
            severity: 'minor',
            debounce: 1800,
            reasons: 'supply',
            perWeek: 0.3,
            minutes: 180,
            far: 9,
          }),
        ),
        analog('Pressure', 'bar', 1, [2.8, 4.6], 'held'),
        counter('Volume', 'm³', [0, 350_000], 'total'),
      ],
    },
  ],
};
