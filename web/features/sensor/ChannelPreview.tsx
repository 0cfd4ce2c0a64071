import { NativeSelect, NumberInput } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { DIGITAL } from '../../../domain/datapoint.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { type ChannelLook, previewOf } from './channel-preview.ts';
import classes from './Tile.module.css';

/** The tile as it will be, for a value that can be tried. It follows every key. */
export function ChannelPreview({ channel, sensorType }: { channel: ChannelLook; sensorType: number }) {
  const [raw, setRaw] = useState<number>(sensorType === DIGITAL ? 1 : 20.5);
  const preview = previewOf(channel, sensorType, raw);
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
            <NumberInput
              label="Device sends"
              value={raw}
              hideControls
              onChange={(next) => setRaw(typeof next === 'number' ? next : Number(next) || 0)}
            />
          )}
        </div>
      </div>
    </section>
  );
}
