import { NativeSelect } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { DIGITAL } from '../../../domain/datapoint.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import type { NumberValue } from '../../ui/number-text.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { type ChannelLook, previewOf } from './channel-preview.ts';
import classes from './Tile.module.css';

/** Preview of the channel's tile for a value that the user enters. */
export function ChannelPreview({ channel, sensorType }: { channel: ChannelLook; sensorType: number }) {
  const [raw, setRaw] = useState<NumberValue>(sensorType === DIGITAL ? 1 : 20.5);
  const preview = previewOf(channel, sensorType, typeof raw === 'number' ? raw : Number.NaN);
  return (
    <section className={classes.preview} aria-label="Preview of the tile">
      <h3>How the tile will look</h3>
      <div className={classes.line}>
        <div
          className={classes.tile}
          data-state={preview.state}
          style={preview.color ? ({ '--tile-color': preview.color } as CSSProperties) : undefined}
        >
          <div className={classes.title}>{preview.title}</div>
          <div className={classes.value}>{preview.value}</div>
          <StateMark state={preview.state} />
        </div>
        <div className={classes.try}>
          {sensorType === DIGITAL ? (
            <NativeSelect
              label="Device sends"
              data={[
                { value: '0', label: '0' },
                { value: '1', label: '1' },
              ]}
              value={String(raw)}
              onChange={(event) => setRaw(Number(event.currentTarget.value))}
            />
          ) : (
            <NumberField label="Device sends" value={raw} onChange={setRaw} />
          )}
        </div>
      </div>
    </section>
  );
}
