import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast/toast.ts';
import classes from './CopySite.module.css';
import { isLongId, LONG_ID } from './site-form.ts';
import { copyOfSite } from './site-record.queries.ts';

interface CopySiteProps {
  site: { uuid: string; name: string; siteId: string };
  onClose: () => void;
}

/** Asks for the name and ID of the copy, creates the copy and opens its page. */
export function CopySite({ site, onClose }: CopySiteProps) {
  const [name, setName] = useState(`${site.name} copy`);
  const [siteId, setSiteId] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: string; words: string } | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const copy = async (event: FormEvent) => {
    event.preventDefault();
    // The dialog is inside another form, which must not be submitted.
    event.stopPropagation();
    if (name.trim() === '') return setProblem({ field: 'name', words: 'Enter a name for the copy.' });
    if (siteId.trim() === '') return setProblem({ field: 'siteId', words: 'Enter a new ID for the copy.' });
    if (isLongId(siteId)) return setProblem({ field: 'siteId', words: LONG_ID });
    setBusy(true);
    setProblem(null);
    try {
      const uuid = await copyOfSite(site.uuid, siteId.trim(), name.trim());
      await client.invalidateQueries();
      toast.success(`${name.trim()} is a copy of ${site.name}.`);
      await navigate({ to: '/admin/sites/$uuid', params: { uuid } });
    } catch (error) {
      const field = error instanceof GraphqlError ? error.field : undefined;
      setProblem({ field: field ?? '', words: messageOf(error) });
      setBusy(false);
    }
  };
  const problemAt = (field: string) => (problem?.field === field ? problem.words : null);
  const title = `Copy ${site.name}`;
  return (
    <Dialog opened onClose={onClose} label={title} head={<h2 className={classes.title}>{title}</h2>}>
      <form className={classes.form} noValidate onSubmit={(event) => void copy(event)}>
        <p>
          The copy includes the assets, sensors with their channels, data points, rules, actions, rule alerts with their
          people and reasons, and the linked users. The copied sensors get new UIDs and need their own tokens.
        </p>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problemAt('name')}
        />
        <TextInput
          label="Site ID"
          value={siteId}
          onChange={(event) => setSiteId(event.currentTarget.value)}
          error={problemAt('siteId')}
        />
        {problem && problem.field !== 'name' && problem.field !== 'siteId' ? (
          <p className={classes.problem} role="alert">
            {problem.words}
          </p>
        ) : null}
        <div className={classes.choices}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Copy site
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
