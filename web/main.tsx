import './ui/language.ts';
import './styles/index.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { startSession, wasSignedIn } from './kit/session/session.ts';
import { NotAllowed } from './routes/guards.ts';
import { router } from './routes/router.tsx';
import { followSession } from './routes/session-navigation.ts';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('index.html has no element with the id root.');
}
// React calls this for every error that an error boundary caught. A page that the user is not allowed to open does not
// count as an error.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof NotAllowed)) {
    console.error(error);
  }
};

const page = createRoot(root, { onCaughtError });
const draw = () =>
  page.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

// Loads the shell while the login status is fetched, because most people who open the console are signed in.
if (wasSignedIn()) void import('./routes/Frame.tsx').catch(() => undefined);
// The splash screen of index.html stays until the code of the first page has loaded, so that users with a slow
// connection never see an empty page.
void startSession()
  .catch(() => router.history.replace('/error/5xx'))
  .then(() => followSession(router))
  .then(() => router.load())
  // A transition renders in small steps. Rendering shell and page at once would block the main thread for 250 ms.
  .then(() => startTransition(draw));
