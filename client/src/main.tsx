import './theme/styles.css';
import { startTransition, StrictMode } from 'react';
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
/** Not awaited at the top of this module: the bundler would have to split every module that lazy pages share with it. */
async function start(into: Element): Promise<void> {
  const render = (): void =>
    createRoot(into).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  if (into.querySelector('[data-shell]') === null) {
    render();
  } else {
    // The front page comes prerendered: it stays until the router can replace it by the same page, alive, and can be
    // scrolled meanwhile.
    await router.load();
    startTransition(render);
  }
}
void start(root);
