import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { PanelBody, PanelFrame, PanelHead } from '../../ui/SidePanel.tsx';
import classes from './Destination.module.css';
import { type DestinationRecord, sendRenewal } from './destination.queries.ts';

interface NewSecretProps {
  name: string;
  secret: string;
  onClose: () => void;
}

/** Shows the secret of a new webhook. The server returns it only once. */
export function NewSecret({ name, secret, onClose }: NewSecretProps) {
  const title = `${name} was added`;
  return (
    <PanelFrame title={title}>
      <PanelHead title={title} onClose={onClose} />
      <PanelBody>
        <SecretOnce secret={secret} />
        <div>
          <Button onClick={onClose}>Done</Button>
        </div>
      </PanelBody>
    </PanelFrame>
  );
}

function SecretOnce({ secret }: { secret: string }) {
  return (
    <div className={classes.once}>
      <p role="status">
        This is the only time the secret is shown. Copy it into the receiver, which checks the signature of each request
        with it.
      </p>
      <CopyLine label="secret">{secret}</CopyLine>
    </div>
  );
}

/** Replaces the secret of a webhook, after a question, and shows the new one. */
export function RenewSecret({ destination }: { destination: Pick<DestinationRecord, 'uuid'> }) {
  const [asks, setAsks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const renew = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setSecret(await sendRenewal(destination.uuid));
      setAsks(false);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={classes.part} aria-label="Secret">
      <h3>Secret</h3>
      {secret === null ? null : <SecretOnce secret={secret} />}
      {asks ? (
        <>
          <p>The receiver refuses all requests until it has the new secret.</p>
          <div className={classes.buttons}>
            <Button color="red" loading={busy} onClick={() => void renew()}>
              Replace secret
            </Button>
            <Button variant="default" onClick={() => setAsks(false)}>
              Keep secret
            </Button>
          </div>
        </>
      ) : (
        <div>
          <Button variant="default" onClick={() => setAsks(true)}>
            New secret
          </Button>
        </div>
      )}
      {problem === null ? null : (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
