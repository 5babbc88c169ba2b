// Runs before the first paint, so that the stored scheme never flashes. The key and the values are those of theme/scheme.ts.
(() => {
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
})();
