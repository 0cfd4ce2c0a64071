import { usePublicConfig } from '../../kit/session/public-config.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './Shell.module.css';

export function Footer() {
  const { product, version } = usePublicConfig();
  return (
    <footer className={classes.footer}>
      <span>
        {product} {version}
      </span>
      <span>Times in {useTimeZone()}</span>
    </footer>
  );
}
