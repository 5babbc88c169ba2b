// The first script of every page under test: whatever the page complains about is kept for the test to read, also over
// loads of other pages. No driver of WebKitGTK tells of these things, so every browser is asked in this way.
{
  const KEY = 'complaints';
  // what is under way is broken off then, and the page says so
  let isLeaving = false;
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  /** @param {string} complaint */
  const keep = (complaint) => {
    if (isLeaving) return;
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    sessionStorage.setItem(KEY, JSON.stringify([...kept, `${location.pathname}: ${complaint}`]));
  };
  Object.assign(window, {
    takeComplaints() {
      const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
      sessionStorage.removeItem(KEY);
      return kept;
    },
  });
  addEventListener(
    'error',
    (event) => {
      const { target } = event;
      if (event instanceof ErrorEvent) keep(`page error: ${event.message}`);
      else if (target instanceof Element) keep(`not loaded: ${target.outerHTML.slice(0, 200)}`);
    },
    // what fails to load tells its element alone
    { capture: true },
  );
  addEventListener('unhandledrejection', ({ reason }) => keep(`unhandled rejection: ${String(reason)}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    keep(`policy report: ${violatedDirective} ${blockedURI} in ${sourceFile}:${lineNumber}`);
  });
  for (const level of /** @type {const} */ (['error', 'warn'])) {
    const say = console[level].bind(console);
    console[level] = (...words) => {
      keep(`console ${level}: ${words.map(String).join(' ')}`);
      say(...words);
    };
  }
}
