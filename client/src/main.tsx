import './theme/styles.css';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { watchInstallOffer } from './lib/install-offer.ts';
import { startPolling } from './lib/polling.ts';
import { queryClient } from './lib/query-client.ts';
import { reloadAfterRelease } from './lib/reload-after-release.ts';
import { shareNonce } from './lib/nonce.ts';
import { router } from './router.ts';

shareNonce();
reloadAfterRelease();
watchInstallOffer();
startPolling(queryClient);

const root = document.querySelector('#root');
if (root === null) {
  throw new Error('index.html has no #root.');
}
/** A function instead of top-level await, which would make the bundler split every module shared with lazy pages. */
async function start(into: Element): Promise<void> {
  if (into.querySelector('[data-shell]') !== null) {
    // The prerendered front page stays and can be scrolled until the router is ready to replace it with the live page.
    await router.load();
  }
  // As a transition, React renders in slices and does not block the browser.
  startTransition(() => {
    createRoot(into).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  });
}
void start(root);
