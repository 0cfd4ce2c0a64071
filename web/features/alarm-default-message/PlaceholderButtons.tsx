import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import classes from './PlaceholderButtons.module.css';

interface PlaceholderButtonsProps {
  names: readonly { name: string; description: string }[];
  /** The text field that contains the message. */
  field: RefObject<HTMLTextAreaElement | null>;
  onInsert: (added: (message: string) => string) => void;
}

/** Buttons for the placeholders. A click inserts the placeholder into the message and puts the cursor after it. */
export function PlaceholderButtons({ names, field, onInsert }: PlaceholderButtonsProps) {
  const insert = (text: string) => {
    flushSync(() => onInsert((message) => `${message}${/(^|\s)$/.test(message) ? '' : ' '}${text}`));
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  };
  return (
    <fieldset className={classes.names} aria-label="Placeholders">
      {names.map(({ name, description }) => (
        <Tooltip key={name} label={description}>
          <button type="button" aria-label={`Add ${name}: ${description}`} onClick={() => insert(`{${name}}`)}>
            {`{${name}}`}
          </button>
        </Tooltip>
      ))}
    </fieldset>
  );
}
