import type { KindCode } from './kinds.ts';

/** All names are invented; all addresses end in `.example`. */
export const partners = [
  { id: 1, name: 'Harrow Telemetry', domain: 'harrow-telemetry.example', phone: '+44 7700 900001' },
  { id: 2, name: 'Frostline Services', domain: 'frostline.example', phone: '+44 7700 900002' },
] as const;

/** Time zone of every demo customer. */
export const timeZone = 'Europe/London';

export interface CustomerName {
  id: number;
  partner: number;
  name: string;
  domain: string;
  /** Prefix of sensor uids. */
  prefix: string;
  table: string;
  /** Kinds of the generated sites, used in rotation. */
  kinds: readonly KindCode[];
  centre: readonly [number, number];
  /** One entry for each unit office: region, district, area and unit office. */
  offices: readonly (readonly [string, string, string, string])[];
}

export const customers: readonly [CustomerName, CustomerName, CustomerName] = [
  {
    id: 1,
    partner: 1,
    name: 'Northmere Water',
    domain: 'northmere.example',
    prefix: 'NM',
    table: 'northmere',
    kinds: ['PS', 'PS', 'DM', 'SR', 'PS', 'BS', 'CO', 'PS', 'BH', 'DM', 'PS', 'CS', 'TW'],
    centre: [54.55, -2.75],
    offices: [
      ['North', 'Fells', 'Greystoke and Keld', 'Greystoke'],
      ['North', 'Fells', 'Greystoke and Keld', 'Upper Fell'],
      ['North', 'Fells', 'Tarns', 'Tarn Valley'],
      ['North', 'Fells', 'Tarns', 'Holmwick'],
      ['North', 'Lakes', 'Dunmere and Ashmoor', 'Dunmere'],
      ['North', 'Lakes', 'Dunmere and Ashmoor', 'Ashmoor'],
      ['North', 'Lakes', 'Brackenhall', 'Brackenhall'],
      ['North', 'Lakes', 'Brackenhall', 'Castle Hill'],
      ['South', 'Marsh', 'Lowmarsh', 'Lowmarsh'],
      ['South', 'Marsh', 'Lowmarsh', 'Marlow Dyke'],
      ['South', 'Marsh', 'River', 'Farrow Bridge'],
      ['South', 'Marsh', 'River', 'Kelder'],
      ['South', 'Coast', 'Docks', 'Eastfleet'],
      ['South', 'Coast', 'Docks', 'Coldharbour'],
      ['South', 'Coast', 'Mills', 'Stanley Mill'],
      ['South', 'Coast', 'Mills', 'Harrow Fold'],
    ],
  },
  {
    id: 2,
    partner: 1,
    name: 'Westmarsh Drainage Board',
    domain: 'westmarsh.example',
    prefix: 'WM',
    table: 'westmarsh',
    kinds: ['PS', 'SL', 'PS'],
    centre: [53.15, -0.05],
    offices: [
      ['Levels', 'Inner levels', 'Old Cut', 'Saltfen'],
      ['Levels', 'Outer levels', 'Sea bank', 'Gibbet Sluice'],
    ],
  },
  {
    id: 3,
    partner: 2,
    name: 'Polar Quay Cold Stores',
    domain: 'polarquay.example',
    prefix: 'PQ',
    table: 'polarquay',
    kinds: ['CS'],
    centre: [51.55, 0.45],
    offices: [
      ['Estuary', 'North bank', 'Docklands', 'Polar Quay'],
      ['Estuary', 'South bank', 'Ferry', 'Ferry Reach'],
    ],
  },
];

export interface SiteName {
  name: string;
  kind: KindCode;
  number: number;
  office: string;
  /** Names of the assets. They replace the asset names of the site kind. */
  assets?: readonly string[];
  healthHours?: number;
}

function site(name: string, id: `${KindCode}-${number}`, office: string, extra: Partial<SiteName> = {}): SiteName {
  const [kind, number] = id.split('-') as [KindCode, string];
  return { name, kind, number: Number(number), office, ...extra };
}

/** Sites that every demo plant contains, regardless of its size; keyed by customer. */
export const namedSites: Readonly<Record<number, readonly SiteName[]>> = {
  1: [
    site('Quay Street Cold Store', 'CS-42', 'Eastfleet', { assets: ['Cold room 3', 'Chiller B', 'Dock 2'] }),
    site('Kelder Road PS', 'PS-31', 'Kelder', { assets: ['Wet well', 'Pump 2', 'Power'] }),
    site('Brackenhall WTW', 'TW-2', 'Brackenhall'),
    site('Lowmarsh SPS 4', 'PS-44', 'Lowmarsh'),
    site('Dunmere Reservoir 2', 'SR-18', 'Dunmere', { assets: ['Cell B', 'Kiosk'] }),
    site('Holmwick Booster', 'BS-12', 'Holmwick'),
    site('Eastfleet Cold Store A', 'CS-3', 'Eastfleet', { assets: ['Cold room 1', 'Chiller B', 'Dock 1'] }),
    site('Farrow Bridge CSO', 'CO-5', 'Farrow Bridge'),
    site('Stanley Mill DMA 7', 'DM-107', 'Stanley Mill'),
    site('Marlow Dyke PS', 'PS-63', 'Marlow Dyke', { assets: ['Wet well', 'Pump 3', 'Power'] }),
    site('Greystoke Borehole 3', 'BH-6', 'Greystoke', { healthHours: 1 }),
    site('Tarn Lane Booster', 'BS-27', 'Tarn Valley'),
    site('Upper Fell Repeater', 'RP-1', 'Upper Fell'),
    site('Lowmarsh SPS 7', 'PS-47', 'Lowmarsh'),
    site('Lowmarsh SPS 2', 'PS-42', 'Lowmarsh'),
    site('Abbey Lane PS', 'PS-9', 'Coldharbour'),
    site('Alder Beck SPS', 'PS-14', 'Lowmarsh'),
    site('Ashmoor Reservoir 1', 'SR-21', 'Ashmoor'),
    site('Ashmoor Reservoir 2', 'SR-22', 'Ashmoor'),
    site('Barrow Dock Cold Store', 'CS-7', 'Eastfleet'),
    site('Beckside DMA 2', 'DM-131', 'Stanley Mill'),
    site('Birchwood Booster', 'BS-40', 'Holmwick'),
    site('Brigg End SPS', 'PS-52', 'Marlow Dyke'),
    site('Canal Head PS', 'PS-58', 'Kelder'),
    site('Carr Bottom CSO', 'CO-11', 'Farrow Bridge'),
    site('Castle Hill Tower', 'SR-30', 'Castle Hill'),
    site('Coldharbour PS 1', 'PS-36', 'Coldharbour'),
    site('Coldharbour PS 2', 'PS-37', 'Coldharbour'),
    site('Crag Foot Borehole', 'BH-4', 'Greystoke'),
    site('Dale Street SPS', 'PS-70', 'Kelder'),
    site('Dunmere Reservoir 1', 'SR-17', 'Dunmere'),
    site('Eastfleet Cold Store B', 'CS-4', 'Eastfleet'),
    site('Elm Bank DMA 4', 'DM-138', 'Stanley Mill'),
    site('Fennel Road SPS', 'PS-73', 'Castle Hill'),
    site('Fulwick WTW', 'TW-3', 'Brackenhall'),
    site('Gasworks Lane PS', 'PS-75', 'Harrow Fold'),
    site('Glebe Farm SPS', 'PS-77', 'Tarn Valley'),
    site('Hagg Wood Booster', 'BS-31', 'Upper Fell'),
    site('Harrow Fold DMA 1', 'DM-140', 'Harrow Fold'),
    site('Holmwick Reservoir', 'SR-33', 'Holmwick'),
    site('Ings Road SPS', 'PS-80', 'Lowmarsh'),
    site('Keld Top Borehole', 'BH-3', 'Upper Fell'),
    site('Kiln Lane PS', 'PS-82', 'Castle Hill'),
    site('Lock Cottage CSO', 'CO-14', 'Farrow Bridge'),
    site('Long Acre Cold Store', 'CS-9', 'Harrow Fold'),
    site('Marlow Sluice', 'SL-2', 'Marlow Dyke'),
    site('Mill Race PS', 'PS-85', 'Tarn Valley'),
  ],
  2: [
    site('Old Cut PS', 'PS-1', 'Saltfen'),
    site('Gibbet Sluice', 'SL-1', 'Gibbet Sluice'),
    site('Saltfen PS North', 'PS-2', 'Saltfen'),
    site('Saltfen PS South', 'PS-3', 'Saltfen'),
    site('Sea Bank Sluice', 'SL-2', 'Gibbet Sluice'),
    site('Heron Drove PS', 'PS-4', 'Gibbet Sluice'),
  ],
  3: [
    site('Polar Quay Store 1', 'CS-1', 'Polar Quay', { assets: ['Cold room 2', 'Chiller A', 'Dock 4'] }),
    site('Polar Quay Store 2', 'CS-2', 'Polar Quay'),
    site('Ferry Reach Store', 'CS-3', 'Ferry Reach'),
    site('Tilting Wharf Store', 'CS-4', 'Polar Quay'),
    site('Gull Yard Store', 'CS-5', 'Ferry Reach'),
    site('Ropewalk Store', 'CS-6', 'Ferry Reach'),
    site('Chandlers Row Store', 'CS-7', 'Polar Quay'),
  ],
};

/** First and second halves of generated place names. */
export const placeBegins = [
  'Abbot',
  'Bank',
  'Beech',
  'Black',
  'Briar',
  'Cold',
  'Crow',
  'East',
  'Fox',
  'Gorse',
  'Hazel',
  'High',
  'Kirk',
  'Lamb',
  'Long',
  'Moss',
  'North',
  'Oak',
  'Rook',
  'Silver',
  'Stone',
  'Swan',
  'Thorn',
  'West',
] as const;
export const placeEnds = [
  'barrow',
  'beck',
  'bridge',
  'by',
  'dale',
  'field',
  'ford',
  'gate',
  'ham',
  'holme',
  'ley',
  'mere',
  'rigg',
  'side',
  'stead',
  'thwaite',
  'ton',
  'wick',
  'worth',
] as const;
export const streets = [
  'Abbey Lane',
  'Canal Side',
  'Church Row',
  'Dyke Road',
  'Ferry Road',
  'Kiln Lane',
  'Mill Lane',
  'Moor Road',
  'Quay Street',
  'Station Road',
  'Tarn Lane',
  'Weir Close',
] as const;
export const providers = ['Nordcell', 'Fellnet', 'Three Rivers Mobile', 'Beacon GSM'] as const;
