import { Tooltip } from '@mantine/core';
import classes from './PlaceholderButtons.module.css';

interface PlaceholderButtonsProps {
  names: readonly { name: string; description: string }[];
  onInsert: (text: string) => void;
}

/** What a message may leave open; a press adds it to the message. */
export function PlaceholderButtons({ names, onInsert }: PlaceholderButtonsProps) {
  return (
    <fieldset className={classes.names} aria-label="Placeholders">
      {names.map(({ name, description }) => (
        <Tooltip key={name} label={description}>
          <button type="button" aria-label={`Add ${name}: ${description}`} onClick={() => onInsert(`{${name}}`)}>
            {`{${name}}`}
          </button>
        </Tooltip>
      ))}
    </fieldset>
  );
}
