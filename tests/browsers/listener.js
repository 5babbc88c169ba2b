// The first script of every tested page: it stores the page's errors for the test, also across page loads. WebKitGTK's
// driver does not report errors, so all browsers use this script.
{
  const KEY = 'complaints';
  // leaving the page aborts running requests, which the page logs
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
    // a failed load only fires an event on its element
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
