import './theme/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reloadAfterRelease } from './lib/reload-after-release.ts';
import { shareNonce } from './lib/nonce.ts';

shareNonce();
reloadAfterRelease();

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('index.html has no #root.');
}
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
