/**
 * Permissions by role. The database enforces them with row level security. The console reads this table, and the
 * tenancy matrix test compares the database with it.
 */
export type Role = 'owner' | 'manager' | 'operator' | 'partner';
export type Verb = 'read' | 'create' | 'update' | 'delete';

/** Facts about a user that determine their permissions. */
export interface Actor {
  level: number;
  partnerAccount: boolean;
}

/**
 * Rows that a permission covers. `all`: all rows of the customer. `linked-sites`: rows of linked sites. `below`: users
 * with a higher level number. `self`: the user's own rows.
 */
export type Reach = 'all' | 'linked-sites' | 'below' | 'self';

type Grants = Partial<Record<Verb, Partial<Record<Role, Reach>>>>;

const all = 'all' as const;
const linked = 'linked-sites' as const;
const below = 'below' as const;
const managers = { owner: all, manager: all } as const;
const maintainers = { ...managers, partner: all } as const;
/** Operators read the rotas in which they are. */
const readersOfRotas = { ...managers, operator: 'self' } as const;
const readersOfSites = { ...managers, operator: linked } as const;

const themselves = { owner: 'self', manager: 'self', operator: 'self' } as const;

const keptByManagers: Grants = { read: readersOfSites, create: managers, update: managers, delete: managers };
const keptByMaintainers: Grants = {
  read: { ...maintainers, operator: linked },
  create: maintainers,
  update: maintainers,
  delete: maintainers,
};

/** Permissions by table, verb and role. A permission that is not listed is denied. */
export const grants = {
  partner: { read: { ...maintainers, operator: all } },
  customer: { read: { ...maintainers, operator: all }, update: { owner: all } },
  user: {
    read: { owner: below, manager: below, operator: 'self', partner: 'self' },
    create: { owner: below, manager: below },
    update: { owner: below, manager: below },
    delete: { owner: below, manager: below },
  },
  group: {
    read: { ...maintainers, operator: linked },
    create: managers,
    update: managers,
    delete: managers,
  },
  site: keptByMaintainers,
  site_user: { read: { ...managers, operator: 'self' }, create: managers, update: managers, delete: managers },
  sensor: keptByMaintainers,
  sensor_channel: keptByMaintainers,
  incoming_sensor_log: { read: maintainers },
  reply_message: { read: maintainers, create: maintainers },
  asset: keptByManagers,
  asset_datapoint: keptByManagers,
  rule: keptByManagers,
  rule_version: { read: readersOfSites },
  rule_transition: { read: readersOfSites },
  rule_alert: keptByManagers,
  rule_alert_user: keptByManagers,
  rule_escalate_user: keptByManagers,
  rule_step: { read: readersOfSites },
  rule_step_recipient: { read: readersOfSites },
  reason: keptByManagers,
  site_reason: keptByManagers,
  user_reason: { read: readersOfSites, create: managers, delete: managers },
  rules_json: { read: managers, create: managers, update: managers, delete: managers },
  alarm_default_message: { read: managers, create: managers, update: managers, delete: managers },
  action: { read: readersOfSites, create: managers, update: managers },
  alarm: { read: readersOfSites, create: readersOfSites, update: readersOfSites },
  alarm_event: { read: readersOfSites },
  shelving: { read: readersOfSites },
  maintenance_window: { read: readersOfSites },
  maintenance_occurrence: { read: readersOfSites },
  rota: { read: readersOfRotas },
  rota_layer: { read: readersOfRotas },
  rota_layer_person: { read: readersOfRotas },
  rota_override: { read: readersOfRotas },
  rota_gap: { read: readersOfRotas },
  rota_swap: { read: readersOfRotas },
  dependency: { read: readersOfSites, create: managers, delete: managers },
  alarm_flood: { read: readersOfSites },
  destination: { read: managers, delete: managers },
  destination_delivery: { read: managers },
  notification: { read: readersOfSites },
  push_subscription: { read: themselves, create: themselves, delete: themselves },
  reading: { read: readersOfSites },
  health_slot: { read: readersOfSites },
  health_week: { read: readersOfSites },
  // Users have no direct access to the roll-up tables. They read roll-ups through `series`.
  rollup_minute: {},
  rollup_hour: {},
  rollup_day: {},
  outbox: { read: { owner: all } },
  audit: { read: { owner: all } },
} as const satisfies Record<string, Grants>;

export type Noun = keyof typeof grants;
export type Permission =
  | `${Noun}.${Verb}`
  | 'admin.enter'
  | 'alarm.acknowledge'
  | 'alarm.resolve'
  | 'alarm.shelve'
  | 'alarm.assign'
  | 'maintenance.plan'
  | 'rota.plan'
  | 'destination.configure'
  | 'system.read';

/** Returns the role of a user by level. A partner account always has the role `partner`. */
export function roleOf(actor: Actor): Role {
  if (actor.partnerAccount) return 'partner';
  if (actor.level === 0) return 'owner';
  return actor.level < 10 ? 'manager' : 'operator';
}

/** Converts a stored level to the user level of the specification. Levels below 0 have access to the admin area. */
export function userLevel(level: number): number {
  return level - 10;
}

/** Returns which rows the permission covers; undefined if the role does not have the permission. */
export function reachOf(role: Role, noun: Noun, verb: Verb): Reach | undefined {
  const grant: Grants = grants[noun];
  return grant[verb]?.[role];
}

const handling: ReadonlySet<Permission> = new Set([
  'alarm.acknowledge',
  'alarm.resolve',
  'alarm.shelve',
  'alarm.assign',
]);

export function can(actor: Actor, permission: Permission): boolean {
  if (permission === 'admin.enter') return userLevel(actor.level) < 0;
  // The state of the installation concerns all customers, so only owners may read it.
  if (permission === 'system.read') return roleOf(actor) === 'owner';
  if (permission === 'destination.configure') return can(actor, 'destination.delete');
  if (permission === 'maintenance.plan' || permission === 'rota.plan') return can(actor, 'asset.update');
  if (handling.has(permission)) return can(actor, 'alarm.update');
  const [noun, verb] = permission.split('.') as [Noun, Verb];
  return reachOf(roleOf(actor), noun, verb) !== undefined;
}

export type AlarmAccess = { opens: true } | { opens: false; because: 'not-linked' | 'service-account' };

/** Returns whether a user can open the alarms of a site. If not, returns the reason. */
export function alarmAccess(person: Actor, linked: boolean): AlarmAccess {
  const reach = reachOf(roleOf(person), 'alarm', 'read');
  if (reach === undefined) return { opens: false, because: 'service-account' };
  return reach === 'all' || linked ? { opens: true } : { opens: false, because: 'not-linked' };
}
