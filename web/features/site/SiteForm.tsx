import { Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { plural } from '../../../domain/plural.ts';
import { UserLinks } from '../../kit/choices/UserLinks.tsx';
import { counted } from '../../kit/format/number.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { useParameter } from '../../kit/list/useParameter.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { PanelTab, PanelTabs, usePanelTabs } from '../../kit/record/PanelTabs.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { useActor } from '../../kit/session/actor.ts';
import { offerStep } from '../../kit/setup/offered-step.ts';
import { afterSite } from '../../kit/setup/setup-steps.ts';
import { toast } from '../../ui/toast/toast.ts';
import { CopySite } from './CopySite.tsx';
import { SiteDetails } from './SiteDetails.tsx';
import classes from './SiteForm.module.css';
import { SiteHealth } from './SiteHealth.tsx';
import { SiteReasons } from './SiteReasons.tsx';
import { emptySite, seenSite, siteErrors, siteInput, siteLabels } from './site-form.ts';
import { fetchSite, removeSite, type SiteRecord, saveSite, siteQuery } from './site-record.queries.ts';

interface SiteFormProps {
  /** Uuid of the site, or 'new'. */
  id: string;
  onClose: () => void;
  /** Called after the site was deleted. If omitted, the panel closes. */
  onDeleted?: () => void;
}

export function SiteForm({ id, onClose, onDeleted = onClose }: SiteFormProps) {
  if (id === NEW) {
    return <SitePanel key={NEW} site={null} onClose={onClose} onDeleted={onDeleted} />;
  }
  return (
    <LoadedPanel key={id} noun="Site" query={siteQuery(id)} onClose={onClose}>
      {(site) => <SitePanel site={site} onClose={onClose} onDeleted={onDeleted} />}
    </LoadedPanel>
  );
}

interface SitePanelProps {
  site: SiteRecord | null;
  onClose: () => void;
  onDeleted: () => void;
}

function SitePanel({ site, onClose, onDeleted }: SitePanelProps) {
  const actor = useActor();
  const client = useQueryClient();
  const [copying, setCopying] = useState(false);
  const seen = site ? seenSite(site) : emptySite;
  const stored = useRecordForm({
    name: `site ${site?.uuid ?? NEW}`,
    seen,
    validate: siteErrors,
    save: async (values, mark) => {
      const uuid = await saveSite(siteInput(seen.values, values, site?.uuid, mark));
      await client.invalidateQueries({ queryKey: ['site'] });
      toast.success(savedWords(values.name, !site));
      if (!site) offerStep(afterSite({ uuid, name: values.name.trim() }));
    },
    ...(site
      ? {
          reload: async () => {
            const now = await fetchSite(site.uuid);
            return now && seenSite(now);
          },
        }
      : {}),
  });
  const { tabs, record } = usePanelTabs(
    stored,
    'details',
    ['users', 'reasons'],
    useParameter('part', ['details', 'users'])[0],
  );
  const { form } = record;
  const users = can(actor, 'site_user.update');
  const reasons = can(actor, 'site_reason.update');
  const hidden = rowsOf(site?.siteUsers).filter((link) => link.user === null).length;
  return (
    <Tabs {...tabs}>
      <RecordPanel
        title={site?.name ?? 'New site'}
        record={record}
        labels={siteLabels}
        onClose={onClose}
        deletion={
          site && {
            noun: 'site',
            uuid: site.uuid,
            name: site.name,
            typedId: site.siteId,
            remove: () => removeSite(site.uuid),
            onDeleted,
          }
        }
        head={
          <>
            {site ? (
              <div className={classes.above}>
                <Link className={classes.page} to="/admin/sites/$uuid" params={{ uuid: site.uuid }}>
                  Open site
                </Link>
                {/* A copy includes rules and people, which a partner account may not manage. */}
                {can(actor, 'rule.create') ? (
                  <button type="button" className={classes.page} onClick={() => setCopying(true)}>
                    Copy site
                  </button>
                ) : null}
              </div>
            ) : null}
            <PanelTabs
              tabs={[
                { value: 'details', label: 'Details' },
                ...(users ? [{ value: 'users', label: 'Users', count: form.values.users.length }] : []),
                ...(reasons ? [{ value: 'reasons', label: 'Reasons', count: form.values.reasons.length }] : []),
                { value: 'health', label: 'Health' },
              ]}
            />
          </>
        }
      >
        <PanelTab value="details">
          <SiteDetails form={form} siteUuid={site?.uuid} />
        </PanelTab>
        {users ? (
          <PanelTab value="users">
            <UserLinks
              value={form.values.users}
              onChange={(next) => form.setFieldValue('users', next)}
              error={form.errors.users}
              empty="No users linked. Operators see only the sites they are linked to."
            />
            {hidden > 0 ? (
              <p className={classes.quiet}>
                {counted(hidden, 'linked user')} at your level or above {plural(hidden, 'is', 'are')} not shown.
              </p>
            ) : null}
          </PanelTab>
        ) : null}
        {reasons ? (
          <PanelTab value="reasons">
            <SiteReasons
              site={site}
              value={form.values.reasons}
              onChange={(next) => form.setFieldValue('reasons', next)}
              error={form.errors.reasons}
            />
          </PanelTab>
        ) : null}
        <PanelTab value="health">
          <SiteHealth site={site} hours={form.values.tocsinHealthDurationHours} />
        </PanelTab>
      </RecordPanel>
      {site && copying ? <CopySite site={site} onClose={() => setCopying(false)} /> : null}
    </Tabs>
  );
}
