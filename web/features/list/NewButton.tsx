import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

/** The one filled button of a list: makes a new record. */
export function NewButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  );
}
