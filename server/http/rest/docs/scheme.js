// The colour scheme of the API reference: as chosen in Marshal, or the system's. Runs before the first paint.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = localStorage.getItem('marshal-colour-scheme');
    const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches);
    document.documentElement.classList.toggle('dark-mode', isDark);
    document.documentElement.classList.toggle('light-mode', !isDark);
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('storage', apply);
})();
