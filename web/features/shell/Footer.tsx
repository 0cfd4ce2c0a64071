import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { usePublicConfig } from '../auth/public-config.ts';
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
