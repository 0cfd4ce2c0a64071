import './ui/language.ts';
import './styles/index.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { NotAllowed } from './routes/guards.ts';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('index.html has no element with the id root.');
}
// React reports every error that a boundary caught. A refused page is not an error.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof NotAllowed)) {
    console.error(error);
  }
};

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
