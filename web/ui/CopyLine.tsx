import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './CopyLine.module.css';

interface CopyLineProps {
  /** Name of the copied text for screen readers, such as 'token'. */
  label: string;
  children: string;
}

/** Time in milliseconds for which the confirmation is shown. */
const SAID_MS = 2000;

/** Text with a copy button. If the clipboard is unavailable, for example without TLS, the button selects the text. */
export function CopyLine({ label, children }: CopyLineProps) {
  const text = useRef<HTMLElement>(null);
  const [said, setSaid] = useState<'Copy' | 'Copied' | 'Press Ctrl+C'>('Copy');
  useEffect(() => {
    if (said !== 'Copied') return;
    const timer = setTimeout(() => setSaid('Copy'), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(children);
      setSaid('Copied');
    } catch {
      const range = document.createRange();
      if (text.current) range.selectNodeContents(text.current);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      setSaid('Press Ctrl+C');
    }
  };
  return (
    <div className={classes.line}>
      <code ref={text}>{children}</code>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`${said}: ${label}`}
        onClick={() => void copy()}
        onBlur={() => setSaid('Copy')}
      >
        {said}
      </Button>
    </div>
  );
}
