import { Button } from '@mantine/core';
import { TbPlus } from 'react-icons/tb';

/** The one filled button of a list: makes a new record. */
export function NewButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  );
}
