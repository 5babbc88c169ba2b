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
      for (const href of parts.split(' ')) {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
        document.head.append(link);
      }
      void import(app);
    });
  }
}
