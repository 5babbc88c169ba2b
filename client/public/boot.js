// Applies the stored colour scheme before the first paint. Same storage key and values as theme/scheme.ts.
{
  let stored = null;
  try {
    stored = localStorage.getItem('marshal-colour-scheme');
  } catch {
    // Storage may be blocked; then the system's setting applies.
  }
  const scheme =
    stored === 'light' || stored === 'dark'
      ? stored
      : matchMedia('(prefers-color-scheme: light)').matches
        ? 'light'
        : 'dark';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', scheme === 'dark' ? '#131d22' : '#fbfaf6');
}

// Asks who is signed in while the app's scripts load; the app takes this answer (src/lib/trpc.ts) instead of asking itself.
// Not on the front page, which is shown before the app, nor in the demo, which makes no calls.
if (document.currentScript?.dataset.app === undefined && !/^\/demo(\/|$)/.test(location.pathname)) {
  const url = '/trpc/auth.viewer?batch=1&input=%7B%7D';
  const response = fetch(url);
  // the app reports it
  response.catch(() => undefined);
  Object.assign(globalThis, { begunCall: { url, response } });
}

// The prerendered front page loads the app only after the page itself, with its fonts. The build writes the app's files
// into this script's tag (client/landing-shell.ts); other pages load them at once.
{
  const { app, parts = '', styles = '' } = document.currentScript?.dataset ?? {};
  if (app !== undefined) {
    addEventListener('load', () => {
      keepPlace();
      for (const href of [app, ...parts.split(' ')]) {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
        document.head.append(link);
      }
      // The page has the styles of its own markup only, and the app needs all of them.
      const sheet = document.createElement('link');
      const start = () => void import(app);
      Object.assign(sheet, { rel: 'stylesheet', crossOrigin: '', href: styles, onload: start, onerror: start });
      document.head.append(sheet);
    });
  }

  /** Keeps the focus and opened answers of the FAQ when the app replaces the prerendered page. */
  function keepPlace() {
    const root = document.querySelector('#root');
    const shell = document.querySelector('[data-shell]');
    if (root === null || shell === null) return;
    const listStops = () => [...root.querySelectorAll('a[href], summary, main')];
    let place = listStops().findIndex((stop) => stop === document.activeElement);
    /** @param {Event} event */
    const note = ({ target }) => {
      // the innermost stop, because `main`, which contains everything, is one too
      place = target instanceof Node ? listStops().findLastIndex((stop) => stop.contains(target)) : -1;
    };
    shell.addEventListener('focusin', note);
    // A click outside of any link removes the focus without another event.
    shell.addEventListener('pointerdown', note);
    new MutationObserver((_records, observer) => {
      if (shell.isConnected) return;
      observer.disconnect();
      const answers = root.querySelectorAll('details');
      for (const [index, { open }] of shell.querySelectorAll('details').entries()) {
        if (open) answers[index]?.setAttribute('open', '');
      }
      const stop = listStops()[place];
      if (stop instanceof HTMLElement && document.activeElement === document.body) stop.focus({ preventScroll: true });
    }).observe(root, { childList: true });
  }
}
