import { Button } from '@mantine/core';
import { TbPlus } from 'react-icons/tb';

/** The primary button of a list, which adds a record. */
export function NewButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <Button leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />} onClick={onClick}>
      {children}
    </Button>
  );
}
