import { randomOf, uuidOf } from '../random.ts';
import type { CustomerName } from './names.ts';
import { customers } from './names.ts';

/** The only demo users who have a password. */
export const demoSignIns = {
  password: 'tocsin-demo-plant',
  people: [
    { email: 'owner@demo.example', role: 'owner', level: 0, partnerAccount: false },
    { email: 'manager@demo.example', role: 'manager', level: 5, partnerAccount: false },
    { email: 'operator@demo.example', role: 'operator', level: 20, partnerAccount: false },
    { email: 'partner@demo.example', role: "partner's service account", level: 5, partnerAccount: true },
  ],
} as const;

export interface Person {
  uuid: string;
  username: string;
  name: string;
  email: string;
  phone: string;
  level: number;
  active: boolean;
  partnerAccount: boolean;
  /** Enabled method types: 1 e-mail, 2 WhatsApp, 3 SMS, 4 app push. */
  methods: readonly number[];
  signIn: boolean;
  /** Unit offices whose sites the user is responsible for. */
  offices: readonly string[];
  /** Sites outside these unit offices that the user is responsible for. */
  sites: readonly string[];
}

export interface Customer extends CustomerName {
  uuid: string;
  people: readonly Person[];
  /** Users who are notified when an alarm escalates. */
  escalation: readonly Person[];
  groups: readonly Group[];
}

export interface Group {
  uuid: string;
  level: number;
  name: string;
}

interface Entry {
  name: string;
  level: number;
  methods: readonly number[];
  offices?: readonly string[];
  sites?: readonly string[];
  email?: string;
  partnerAccount?: boolean;
  left?: boolean;
  escalation?: boolean;
}

const operatorsSites = [
  'Kelder Road PS',
  'Quay Street Cold Store',
  'Lowmarsh SPS 4',
  'Holmwick Booster',
  'Farrow Bridge CSO',
  'Greystoke Borehole 3',
  'Marlow Dyke PS',
  'Brackenhall WTW',
  'Abbey Lane PS',
  'Ashmoor Reservoir 1',
  'Coldharbour PS 1',
  'Coldharbour PS 2',
  'Dunmere Reservoir 1',
  'Eastfleet Cold Store B',
  'Beckside DMA 2',
] as const;

const [mail, whatsapp, sms, push] = [1, 2, 3, 4];

const entries: Readonly<Record<number, readonly Entry[]>> = {
  1: [
    { name: 'Demo Owner', level: 0, methods: [mail], email: 'owner@demo.example' },
    { name: 'Demo Manager', level: 5, methods: [mail, push], email: 'manager@demo.example' },
    { name: 'Demo Operator', level: 20, methods: [mail, sms], email: 'operator@demo.example', sites: operatorsSites },
    { name: 'Demo Partner', level: 5, methods: [mail], email: 'partner@demo.example', partnerAccount: true },
    { name: 'Maya Lindqvist', level: 1, methods: [mail, sms], escalation: true },
    { name: 'Sara Köhler', level: 5, methods: [mail] },
    { name: 'Priya Nair', level: 8, methods: [mail], offices: ['Tarn Valley', 'Upper Fell', 'Greystoke'] },
    { name: 'Owen Hughes', level: 20, methods: [sms, push], offices: ['Kelder', 'Lowmarsh', 'Farrow Bridge'] },
    {
      name: 'Ruth Adeyemi',
      level: 20,
      methods: [mail, sms],
      offices: ['Dunmere', 'Ashmoor', 'Stanley Mill', 'Holmwick'],
    },
    {
      name: 'Ian McAllister',
      level: 20,
      methods: [sms],
      offices: ['Brackenhall', 'Castle Hill', 'Marlow Dyke', 'Greystoke'],
    },
    { name: 'Lena Voss', level: 20, methods: [sms, push], offices: ['Eastfleet', 'Coldharbour', 'Harrow Fold'] },
    {
      name: 'Daniel Okafor',
      level: 30,
      methods: [whatsapp, sms],
      offices: ['Eastfleet', 'Kelder', 'Upper Fell', 'Tarn Valley'],
    },
    { name: 'Rosa Tench', level: 50, methods: [mail], offices: ['Castle Hill', 'Ashmoor'] },
    { name: 'Colin Wray', level: 20, methods: [], left: true },
  ],
  2: [
    { name: 'Edith Marsh', level: 0, methods: [mail] },
    { name: 'Jonas Pell', level: 5, methods: [mail, sms], escalation: true },
    { name: 'Harrow Field Service', level: 5, methods: [mail], partnerAccount: true },
    { name: 'Bram Dykes', level: 20, methods: [sms], offices: ['Saltfen', 'Gibbet Sluice'] },
    { name: 'Nia Fenner', level: 40, methods: [mail], offices: ['Gibbet Sluice'] },
  ],
  3: [
    { name: 'Astrid Kold', level: 0, methods: [mail] },
    { name: 'Felix Amaro', level: 5, methods: [mail, sms], escalation: true },
    { name: 'Frostline Field Service', level: 5, methods: [mail], partnerAccount: true },
    { name: 'Greta Simm', level: 20, methods: [sms, push], offices: ['Polar Quay'] },
    { name: 'Yusuf Barr', level: 20, methods: [whatsapp], offices: ['Ferry Reach'] },
    {
      name: 'Demo Visitor',
      level: 100,
      methods: [],
      email: 'bypass@demo.example',
      sites: ['Polar Quay Store 1', 'Polar Quay Store 2', 'Ferry Reach Store', 'Gull Yard Store'],
    },
  ],
};

/** Returns a fictional phone number, from the range that Ofcom reserves for film and television. */
export function fictionalNumber(which: number): string {
  return `+44 7700 900${String(which % 1000).padStart(3, '0')}`;
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '.');
}

function person(seed: string, customer: CustomerName, entry: Entry, index: number): Person {
  const random = randomOf(seed, 'person', customer.id, index);
  const username = entry.email ? entry.email.split('@')[0]! : plain(entry.name);
  return {
    uuid: uuidOf(seed, 'user', customer.id, index),
    username,
    name: entry.name,
    email: entry.email ?? `${username}@${customer.domain}`,
    phone: fictionalNumber(customer.id * 100 + index * 7 + random.whole(0, 6)),
    level: entry.level,
    active: !entry.left,
    partnerAccount: entry.partnerAccount ?? false,
    methods: entry.methods,
    signIn: demoSignIns.people.some((signIn) => signIn.email === entry.email),
    offices: entry.offices ?? [],
    sites: entry.sites ?? [],
  };
}

function groupsOf(seed: string, customer: CustomerName): Group[] {
  const found = new Map<string, Group>();
  for (const line of customer.offices) {
    line.forEach((name, depth) => {
      const level = depth + 2;
      found.set(`${level}/${name}`, { uuid: groupUuid(seed, customer, level, name), level, name });
    });
  }
  return [...found.values()].sort((a, b) => a.level - b.level);
}

export function groupUuid(seed: string, customer: CustomerName, level: number, name: string): string {
  return uuidOf(seed, 'group', customer.id, level, name);
}

export function planCustomers(seed: string): Customer[] {
  return customers.map((customer) => {
    const list = entries[customer.id]!;
    const people = list.map((entry, index) => person(seed, customer, entry, index));
    return {
      ...customer,
      uuid: uuidOf(seed, 'customer', customer.id),
      people,
      escalation: people.filter((_, index) => list[index]!.escalation),
      groups: groupsOf(seed, customer),
    };
  });
}
