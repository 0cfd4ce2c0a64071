import type { SiteHistory, Span } from '../history/history.ts';
import { reasons } from '../plant/kind.ts';
import { alarmsOf, type Site } from '../plant/plant.ts';
import { randomOf, uuidOf } from '../random.ts';
import { addAlert, type Rows } from './config.ts';
import { addEscalationPlan } from './rotas.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const commands = [
  ['INTERVAL 600', 'OK interval=600'],
  ['READ ALL', 'OK 4 channels'],
  ['REBOOT', 'OK up 12 s'],
  ['CLOCK SYNC', 'OK drift=0.4 s'],
  ['PUMP 1 RESET', 'OK pump 1 healthy'],
] as const;

/** Adds actions, commands, multi-condition rules and an escalation plan to some sites. */
export function addExtras(
  rows: Rows,
  seed: string,
  site: Site,
  history: SiteHistory,
  index: number,
  span: Span,
  linkManagers: boolean,
): void {
  if (site.kind.code === 'PS' && index % 4 === 1) addStormRule(rows, seed, site, linkManagers);
  const [first] = site.name.startsWith('Kelder Road') ? alarmsOf(site) : [];
  if (first) addEscalationPlan(rows, seed, site.customer, first.alarm.alertUuid, site.createdAt + HOUR);
  if (index % 6 === 0) addAction(rows, seed, site, index);
  if (index % 3 === 0 || history.status === 3) addCommands(rows, seed, site, history, span);
}

/** Adds a rule that opens an alarm if the level is high while the pump is stopped. */
function addStormRule(rows: Rows, seed: string, site: Site, linkManagers: boolean): void {
  const [well, pump] = site.assets;
  const level = well!.points[0]!;
  const running = pump!.points[0]!;
  const name = 'Rising without pumping';
  const rule = {
    conditions: {
      all: [
        { fact: level.uuid, operator: 'greaterThan', value: 3.4 },
        { fact: running.uuid, operator: 'equal', value: 0 },
      ],
    },
    event: {
      type: 'alarm',
      params: { priority: 'high', message: '{site}: well filling with pump stopped' },
    },
  };
  const at = site.createdAt + 2 * HOUR;
  rows.rulesJson.push({
    uuid: uuidOf(seed, 'rules-json', site.uuid),
    tocsin_customer_uuid: site.customer.uuid,
    rule_name: name,
    site_id: site.siteId,
    rule_json: JSON.stringify(rule),
    created_at: at,
    updated_at: at,
  });
  addAlert(rows, seed, site, uuidOf(seed, 'alert', site.uuid, name), name, reasons.pump, true, linkManagers);
}

function addAction(rows: Rows, seed: string, site: Site, index: number): void {
  const asset = site.assets[0]!;
  const at = site.createdAt + 3 * HOUR;
  const which = ((index / 6) % 3) + 1;
  const people = [...site.people, ...site.customer.escalation];
  rows.action.push({
    uuid: uuidOf(seed, 'action', site.uuid),
    tocsin_customer_uuid: site.customer.uuid,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: asset.uuid,
    tocsin_datapoint_uuid: which === 2 ? null : asset.points[0]!.uuid,
    action: which,
    acknowledge: which !== 3,
    escalate: which === 1,
    notify_to: which === 1 ? site.customer.escalation[0]!.uuid : null,
    tocsin_users: which === 2 ? people.map((person) => person.uuid).join(',') : '',
    reply_command: which === 3 ? 'READ ALL' : '',
    created_at: at,
    updated_at: at,
  });
}

/** Adds commands to a site. If the site is silent, one of them is still queued. */
function addCommands(rows: Rows, seed: string, site: Site, history: SiteHistory, span: Span): void {
  const random = randomOf(seed, 'commands', site.uuid);
  const { uid } = site.assets[0]!;
  const common = { tocsin_customer_uuid: site.customer.uuid, uid };
  const [command, reply] = random.pick(commands);
  const queued = span.now - Math.floor(random.between(2, 20 * 24)) * HOUR - random.whole(0, 3000) * 1000;
  const heard = history.gaps.every((gap) => queued + HOUR < gap.from || (gap.to !== undefined && queued > gap.to));
  if (heard) {
    rows.reply.push({
      ...common,
      reply,
      reply_command: command,
      queued_on: queued,
      delivered_on: queued + random.whole(20, 580) * 1000,
      attempts: 1,
    });
  }
  if (history.status === 3) {
    const since = span.now - history.lastFrame;
    rows.reply.push({
      ...common,
      reply: null,
      reply_command: 'REBOOT',
      queued_on: span.now - Math.floor(since / 2),
      delivered_on: null,
      attempts: 0,
    });
  }
}
