// Runs before the first paint, so that the stored scheme never flashes. The key and the values are those of theme/scheme.ts.
{
  let stored = null;
  try {
    stored = localStorage.getItem('marshal-colour-scheme');
  } catch {
    // Storage may be blocked: the system's setting decides.
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

// The front page comes with its contents: it is there to be read, fonts and all, before the app that brings it to life
// is fetched. The build writes the app's own files into the tag (client/landing-shell.ts); other pages fetch them at once.
{
  const { app, parts = '' } = document.currentScript?.dataset ?? {};
  if (app !== undefined) {
    addEventListener('load', () => {
      keepPlace();
      for (const href of parts.split(' ')) {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
        document.head.append(link);
      }
      void import(app);
    });
  }

  /** The app puts the same page in place of this one: the keyboard stays where it was, and what was opened stays open. */
  function keepPlace() {
    const root = document.querySelector('#root');
    const shell = document.querySelector('[data-shell]');
    if (root === null || shell === null) return;
    const listStops = () => [...root.querySelectorAll('a[href], summary, main')];
    let place = listStops().findIndex((stop) => stop === document.activeElement);
    /** @param {Event} event */
    const note = ({ target }) => {
      // the innermost: everything on the page stands in its main part, which can have the focus, too
      place = target instanceof Node ? listStops().findLastIndex((stop) => stop.contains(target)) : -1;
    };
    shell.addEventListener('focusin', note);
    // A press beside everything takes the focus away, and no other event tells of it.
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
