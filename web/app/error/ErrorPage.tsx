import { Link } from '@tanstack/react-router';
import { Mark } from '../../kit/brand/Mark.tsx';
import { useDocumentTitle } from '../../kit/brand/useDocumentTitle.ts';
import classes from './ErrorPage.module.css';

export function NotFoundPage() {
  useDocumentTitle('Page not found');
  return (
    <main className={classes.page}>
      <Mark size={36} />
      <h1>PAGE NOT FOUND !</h1>
      <Link className={classes.link} to="/dashboard">
        Back to home
      </Link>
    </main>
  );
}

/** The page for a link that was truncated or altered in transit and therefore matches no alarm. */
export function BrokenLinkPage() {
  useDocumentTitle('Broken link');
  return (
    <main className={classes.page}>
      <Mark size={36} />
      <h1>This link is incomplete</h1>
      <p>
        Links in alarm messages can be cut off or changed in transit. Open the link in the original message, or look for
        the alarm in the list.
      </p>
      <Link className={classes.link} to="/dashboard/alarms">
        {' '}
        Show alarms{' '}
      </Link>
    </main>
  );
}

/** The page for an unreachable server. A click on the logo reloads the console. */
export function ServerErrorPage() {
  useDocumentTitle('Server error');
  return (
    <main className={classes.page}>
      <a href="/" aria-label="Load Tocsin again">
        <Mark size={36} />
      </a>
      <h1>INTERNAL SERVER ERROR !</h1>
      <p>PLEASE TRY AFTER SOME TIME</p>
    </main>
  );
}
