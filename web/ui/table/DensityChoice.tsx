import { ActionIcon } from '@mantine/core';
import { TbBaselineDensityMedium, TbBaselineDensitySmall } from 'react-icons/tb';
import classes from './DensityChoice.module.css';
import { useDensity } from './density.ts';

/** Switches all tables to compact rows. Hidden on a phone, where rows need the height for touch. */
export function DensityChoice() {
  const [density, choose] = useDensity();
  const compact = density === 'compact';
  const Icon = compact ? TbBaselineDensitySmall : TbBaselineDensityMedium;
  return (
    <ActionIcon
      variant="default"
      size="var(--control)"
      className={classes.choice}
      aria-label="Compact rows"
      aria-pressed={compact}
      title={compact ? 'Compact rows. Switch to comfortable rows.' : 'Comfortable rows. Switch to compact rows.'}
      onClick={() => choose(compact ? 'comfortable' : 'compact')}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </ActionIcon>
  );
}
