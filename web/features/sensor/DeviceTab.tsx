import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import dialogClasses from '../../kit/record/RecordPanel.module.css';
import { Failure } from '../../kit/record/RecordParts.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast/toast.ts';
import classes from './DeviceTab.module.css';
import { Listening } from './Listening.tsx';
import { SendExamples } from './SendExamples.tsx';
import { type Credentials, revokeToken, rotateToken, type Sensor, sensorQuery } from './sensor.queries.ts';
import { TokenOnce } from './TokenOnce.tsx';

interface DeviceTabProps {
  sensor: Sensor;
  /** The new token and its sensor. The token is shown only as long as the page is open. */
  fresh: Credentials | null;
  onFresh: (fresh: Credentials | null) => void;
  /** True while this tab is open. The tab polls only during that time. */
  active: boolean;
  onNewChannel: (() => void) | undefined;
}

/** Helps the user connect the sensor's device. Shows the token, example commands and the last contact. */
export function DeviceTab({ sensor, fresh, onFresh, active, onNewChannel }: DeviceTabProps) {
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null);
  const token = fresh?.uuid === sensor.uuid ? fresh.token : undefined;
  const hasToken = token !== undefined || sensor.hasToken !== false;
  const gateway = sensor.gateway?.uid;
  return (
    <>
      {active ? <Listening sensor={sensor} onNewChannel={onNewChannel} /> : null}
      <section className={classes.part} aria-label="Token">
        <h3>Token</h3>
        {hasToken ? null : (
          <p>
            {gateway === undefined
              ? 'This sensor has no token, so its device cannot sign in. Create a token.'
              : `This sensor has no token. Only the gateway ${gateway} can send for it.`}
          </p>
        )}
        {!hasToken ? null : token === undefined ? (
          <p>The token was shown once, when it was created. A new token replaces it at once.</p>
        ) : (
          <TokenOnce uid={sensor.uid} token={token} />
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={() => setAsking('rotate')}>
            {hasToken ? 'New token' : 'Create token'}
          </Button>
          {hasToken ? (
            <Button variant="default" onClick={() => setAsking('revoke')}>
              Revoke token
            </Button>
          ) : null}
        </div>
      </section>
      <SendExamples
        sensor={sensor}
        device={{ uid: sensor.uid, token, hasToken, gateway, format: sensor.frameFormat }}
      />
      {asking ? <TokenDialog kind={asking} sensor={sensor} onClose={() => setAsking(null)} onFresh={onFresh} /> : null}
    </>
  );
}

interface TokenDialogProps {
  kind: 'rotate' | 'revoke';
  sensor: Sensor;
  onClose: () => void;
  onFresh: (fresh: Credentials | null) => void;
}

/** Asks for confirmation before the token is replaced or revoked, because both invalidate the current token. */
function TokenDialog({ kind, sensor, onClose, onFresh }: TokenDialogProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const title = kind === 'rotate' ? `Create a new token for ${sensor.uid}?` : `Revoke the token of ${sensor.uid}?`;
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      if (kind === 'rotate') {
        onFresh(await rotateToken(sensor.uuid));
        toast.success(`${sensor.uid} has a new token.`);
      } else {
        const ended = await revokeToken(sensor.uuid);
        onFresh(null);
        toast.success(ended ? `The token of ${sensor.uid} was revoked.` : `${sensor.uid} had no token.`);
      }
      await client.invalidateQueries({ queryKey: sensorQuery(sensor.uuid).queryKey });
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog opened onClose={onClose} label={title} head={<h2 className={dialogClasses.question}>{title}</h2>}>
      <p>
        {kind === 'rotate'
          ? sensor.hasToken !== false
            ? 'The current token is revoked at once. The device is rejected until it uses the new token.'
            : 'The device signs in with this token. The token is shown only once.'
          : 'The device is disconnected and rejected until it gets a new token.'}
      </p>
      <Failure>{failure}</Failure>
      <div className={dialogClasses.choices}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void confirm()}>
          {kind === 'rotate' ? 'Create token' : 'Revoke token'}
        </Button>
      </div>
    </Dialog>
  );
}
