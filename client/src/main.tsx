import './theme/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { reloadAfterRelease } from './lib/reload-after-release.ts';
import { shareNonce } from './lib/nonce.ts';
import { router } from './router.ts';

shareNonce();
reloadAfterRelease();

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('index.html has no #root.');
}
if (import.meta.env.PROD) {
  addEventListener('load', () => {
    void import('./lib/service-worker.ts').then(({ startServiceWorker }) =>
      startServiceWorker((path) => router.history.push(path)),
    );
  });
}
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
