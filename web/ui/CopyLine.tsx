import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './CopyLine.module.css';

interface CopyLineProps {
  /** What it is, for a screen reader: 'token', 'curl example'. */
  label: string;
  children: string;
}

/** How long it says that it did so. */
const SAID_MS = 2000;

/** Text to be taken elsewhere, letter for letter. Without a clipboard, as at an address without TLS, it is selected instead. */
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
