import { CopyLine } from '../../ui/CopyLine.tsx';
import classes from './DeviceTab.module.css';
import { qrText } from './examples.ts';
import { QrCode } from './QrCode.tsx';

/** Shows a sensor's new token. The server returns it only once. */
export function TokenOnce({ uid, token }: { uid: string; token: string }) {
  return (
    <div className={classes.once}>
      <p role="status">This is the only time the token is shown. Copy it into the device now.</p>
      <CopyLine label="token">{token}</CopyLine>
      <p>QR code for provisioning apps (address, UID, token).</p>
      <QrCode
        className={classes.code}
        text={qrText(location.origin, uid, token)}
        label={`QR code with the address, the uid and the token of ${uid}`}
      />
    </div>
  );
}
