import { Button } from '@mantine/core';
import dialogClasses from '../../kit/record/RecordPanel.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import classes from './DeviceTab.module.css';
import { SendExamples } from './SendExamples.tsx';
import type { Credentials } from './sensor.queries.ts';
import { ANALOG } from './sensor-words.ts';
import { TokenOnce } from './TokenOnce.tsx';

/**
 * Shows the token of a sensor that was registered from another form, with the same examples as on the sensor's page.
 */
export function NewToken({ made: { uuid, uid, token }, onClose }: { made: Credentials; onClose: () => void }) {
  const title = `${uid} is registered`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: key events bubble through React to the form that contains the picker, and Escape would close that form.
    <div role="presentation" onKeyDown={(event) => event.stopPropagation()}>
      <Dialog opened onClose={onClose} label={title} head={<h2 className={dialogClasses.question}>{title}</h2>}>
        <div className={classes.part}>
          <TokenOnce uid={uid} token={token} />
          <SendExamples sensor={{ uuid, sensorType: ANALOG }} device={{ uid, token }} />
        </div>
        <div className={dialogClasses.choices}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    </div>
  );
}
