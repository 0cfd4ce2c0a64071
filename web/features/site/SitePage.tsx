import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { TbBell, TbBox, TbCopy, TbCpu, TbPencil, TbUsers } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { counted } from '../../kit/format/number.ts';
import { siteMark } from '../../kit/format/state-mark.ts';
import { key, rowsOf } from '../../kit/list/list.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { PageSkeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { PersonUnreached, UnreachedRules, useUnreachedPeople } from '../notification/index.ts';
import { sensorStatuses } from '../sensor/index.ts';
import { SignalBars } from './SignalBars.tsx';
import classes from './SitePage.module.css';
import { type SiteOfPage, type SitePerson, sitePageQuery } from './site-page.queries.ts';
import { rulesOf } from './site-rules.ts';

const SiteForm = lazy(() => import('./SiteForm.tsx').then((part) => ({ default: part.SiteForm })));
const CopySite = lazy(() => import('./CopySite.tsx').then((part) => ({ default: part.CopySite })));

/** Page of one site, with links to its assets, sensors, rules and people. */
export function SitePage() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const query = useQuery({ ...sitePageQuery(uuid), enabled: key(uuid) !== undefined });
  const site = query.data;
  useHeaderTitle(site?.name ?? 'Site');
  if (site) return <SiteView site={site} />;
  if (query.isPending && key(uuid)) return <PageSkeleton />;
  return (
    <Page>
      <PageTitle above={<Link to="/admin/sites">Sites</Link>}>Site</PageTitle>
      <Card>
        {query.isError ? (
          <ErrorState title="The site could not be loaded" onRetry={() => void query.refetch()}>
            {messageOf(query.error)}
          </ErrorState>
        ) : (
          <EmptyState title="Site not found">It was deleted, or you do not have access to it.</EmptyState>
        )}
      </Card>
    </Page>
  );
}

function SiteView({ site }: { site: SiteOfPage }) {
  const actor = useActor();
  const navigate = useNavigate();
  const { open, openRecord, close } = useRecordAddress();
  const [copying, setCopying] = useState(false);
  const assets = rowsOf(site.assets);
  const rules = rulesOf(site);
  const mark = siteMark(site.siteStatus, rowsOf(site.alarms));
  const mayReadAssets = can(actor, 'asset.read');
  const unreached = useUnreachedPeople(site.people.map((person) => person.uuid));
  return (
    <Page>
      <PageTitle
        above={<Link to="/admin/sites">Sites</Link>}
        actions={
          <>
            {can(actor, 'rule.create') ? (
              <Button
                variant="default"
                leftSection={<TbCopy size={14} strokeWidth={1.75} aria-hidden />}
                onClick={() => setCopying(true)}
              >
                Copy
              </Button>
            ) : null}
            {can(actor, 'site.update') ? (
              <Button
                leftSection={<TbPencil size={14} strokeWidth={1.75} aria-hidden />}
                onClick={() => openRecord(site.uuid)}
              >
                Edit
              </Button>
            ) : null}
          </>
        }
      >
        {site.name}
      </PageTitle>
      <div className={classes.grid}>
        <Card title="Details">
          <dl className={classes.facts}>
            <Fact name="State">
              <StateMark {...mark} />
              {mark.state === 'silent' && site.lastUpdate ? (
                <>
                  {' '}
                  since <At at={site.lastUpdate} />
                </>
              ) : null}
            </Fact>
            <Fact name="Last contact">
              <Age at={site.lastUpdate} never="Never" />
            </Fact>
            <Fact name="Silent after">{counted(site.tocsinHealthDurationHours, 'hour')}</Fact>
            <Fact name="GSM">
              <SignalBars dbm={site.gsmSignalStrength} provider={site.gsmProvider} />
            </Fact>
            <Fact name="Site ID">{site.siteId}</Fact>
            <Fact name="Type">{[site.siteType, site.siteCategory].filter(Boolean).join(', ')}</Fact>
            <Fact name="Groups">
              {[site.group2, site.group3, site.group4, site.group5].flatMap((group) => group?.name ?? []).join(' › ')}
            </Fact>
            <Fact name="Address">{site.address}</Fact>
            <Fact name="Location">{site.location}</Fact>
            <Fact name="Phone number (SIM)">{site.phoneNumber}</Fact>
            <Fact name="Description">{site.description}</Fact>
          </dl>
        </Card>
        {mayReadAssets ? (
          <>
            <Part
              title="Assets"
              count={assets.length}
              empty={
                <EmptyState icon={TbBox} title="No assets yet">
                  An asset is a machine or room at the site, such as a pump.
                </EmptyState>
              }
              more={
                <Link to="/admin/assets" search={{ record: NEW, site: site.uuid }}>
                  Add asset
                </Link>
              }
            >
              {assets.map((asset) => (
                <li key={asset.uuid}>
                  <Link to="/admin/assets" search={{ q: site.name, record: asset.uuid }}>
                    {asset.name}
                  </Link>
                  <span>{asset.status ? counted(asset.assetDatapoints.totalCount, 'data point') : 'Inactive'}</span>
                </li>
              ))}
            </Part>
            <Part
              title="Sensors"
              count={site.sensors.length}
              empty={
                <EmptyState icon={TbCpu} title="No sensors yet">
                  Sensors appear here once an asset or data point of the site uses them.
                </EmptyState>
              }
              more={
                <Link to="/admin/sensors" search={{ record: NEW, ...sensorPlace(site.uuid, assets) }}>
                  Add sensor
                </Link>
              }
            >
              {site.sensors.map((sensor) => (
                <li key={sensor.uuid}>
                  <Link to="/admin/sensors" search={{ q: sensor.uid, record: sensor.uuid }}>
                    {sensor.uid}
                  </Link>
                  <span>{sensorStatuses[sensor.status]}</span>
                  <Age at={sensor.lastContact} never="Never" />
                </li>
              ))}
            </Part>
            <Part
              title="Rules"
              count={rules.length}
              empty={
                <EmptyState icon={TbBell} title="No rules yet">
                  A rule opens an alarm when a value leaves its limits, or when its conditions are met.
                </EmptyState>
              }
              more={
                can(actor, 'rule.create') ? (
                  <Link to="/admin/rules" search={{ record: NEW, site: site.uuid }}>
                    Add rule
                  </Link>
                ) : null
              }
            >
              {rules.map((rule) => (
                <li key={rule.uuid}>
                  <Link
                    to="/admin/rules"
                    search={{
                      ...(rule.tab === 'rules' ? {} : { tab: rule.tab }),
                      q: `${rule.name} ${site.name}`,
                      record: rule.uuid,
                    }}
                  >
                    {rule.name}
                  </Link>
                  <span>{rule.words}</span>
                </li>
              ))}
            </Part>
            <UnreachedRules siteUuid={site.uuid} folded />
            <Part
              title="People"
              count={site.people.length}
              empty={
                <EmptyState icon={TbUsers} title="No people yet">
                  Operators see the sites they are linked to. Rule alerts define who is notified of alarms.
                </EmptyState>
              }
              more={
                can(actor, 'site_user.create') ? (
                  <Link to="." search={{ record: site.uuid, part: 'users' } as never}>
                    Add person
                  </Link>
                ) : null
              }
            >
              {site.people.map((person) => (
                <li key={person.uuid}>
                  {person.name === null ? (
                    <span>A user at your level or above</span>
                  ) : (
                    <Link to="/admin/users" search={{ q: person.name, record: person.uuid }}>
                      {person.name}
                    </Link>
                  )}
                  <span>{partsOf(person)}</span>
                  <PersonUnreached
                    words={person.notified || person.escalated ? unreached?.get(person.uuid) : undefined}
                  />
                </li>
              ))}
            </Part>
          </>
        ) : null}
      </div>
      <Suspense>
        {open === site.uuid ? (
          <SiteForm id={open} onClose={close} onDeleted={() => void navigate({ to: '/admin/sites' })} />
        ) : null}
        {copying ? <CopySite key={site.uuid} site={site} onClose={() => setCopying(false)} /> : null}
      </Suspense>
    </Page>
  );
}

/**
 * Returns the place that is preset for a new sensor: the site's only asset, or the site itself if it has no assets.
 * Returns an empty place if the site has several assets.
 */
function sensorPlace(site: string, assets: readonly { uuid: string }[]): { asset?: string; site?: string } {
  const [asset, ...others] = assets;
  if (!asset) return { site };
  return others.length === 0 ? { asset: asset.uuid } : {};
}

function partsOf(person: SitePerson): string {
  return [person.linked && 'sees the site', person.notified && 'recipient', person.escalated && 'escalation recipient']
    .filter(Boolean)
    .join(', ');
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children === '' ? '–' : children}</dd>
    </div>
  );
}

interface PartProps {
  title: string;
  count: number;
  empty: ReactNode;
  more?: ReactNode;
  children: ReactNode;
}

function Part({ title, count, empty, more, children }: PartProps) {
  return (
    <Card
      title={
        <span className={classes.partTitle}>
          {title} <span className={classes.count}>{count.toLocaleString()}</span>
          <span className={classes.more}>{more}</span>
        </span>
      }
    >
      {count === 0 ? empty : <ul className={classes.rows}>{children}</ul>}
    </Card>
  );
}
