import type { ReactNode } from 'react';
import { Mark } from '../../kit/brand/Mark.tsx';
import { useDocumentTitle } from '../../kit/brand/useDocumentTitle.ts';
import { usePublicConfig } from '../../kit/session/public-config.ts';
import classes from './AuthFrame.module.css';
import { tracePath } from './trace.ts';

interface AuthFrameProps {
  /** Title of the browser tab. */
  tab: string;
  title: string;
  children: ReactNode;
  /** Content beside the card, or below the card on narrow screens. */
  aside?: ReactNode;
}

const line = tracePath();

/** Frame of the sign-in and password pages: logo, card, version and background line. */
export function AuthFrame({ tab, title, children, aside }: AuthFrameProps) {
  const config = usePublicConfig();
  useDocumentTitle(tab);
  return (
    <div className={classes.page}>
      <svg className={classes.trace} viewBox="0 0 1440 200" preserveAspectRatio="none" aria-hidden>
        <line x1="0" x2="1440" y1="36" y2="36" />
        <line x1="0" x2="1440" y1="160" y2="160" />
        <path d={line} />
      </svg>
      <main className={classes.box}>
        <div className={classes.brand}>
          <Mark size={36} />
          <div>
            <div className={classes.product}>{config.product}</div>
            {config.customer ? <div className={classes.customer}>{config.customer.name}</div> : null}
          </div>
        </div>
        <div className={classes.card}>
          <h1>{title}</h1>
          {children}
        </div>
        {aside}
        <footer className={classes.foot}>Version {config.version}</footer>
      </main>
    </div>
  );
}
