import classes from './Skeleton.module.css';

interface SkeletonProps {
  width?: number | string;
  height?: number | string;
}

/** A grey bar, shown until the text has loaded. */
export function Skeleton({ width = '100%', height = 10 }: SkeletonProps) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden />;
}

/**
 * Placeholder of a loading page: a title and a card of rows. Set `inside` if the surrounding `Page` component already
 * adds the margins.
 */
export function PageSkeleton({ inside = false }: { inside?: boolean }) {
  return (
    <div className={classes.page} data-inside={inside || undefined} role="status" aria-label="Loading">
      <div className={classes.title}>
        <Skeleton width={72} />
        <Skeleton width={200} height={20} />
      </div>
      <div className={classes.card}>
        {['62%', '48%', '71%', '55%', '66%', '44%'].map((width) => (
          <div key={width} className={classes.row}>
            <Skeleton width={width} />
            <Skeleton width="12%" />
          </div>
        ))}
      </div>
    </div>
  );
}
