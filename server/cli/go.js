// Entry point of npm scripts: refuses a Node that is too old, then runs the given program of this project. Its syntax is so
// old that any Node can parse it and show the refusal.
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;

const [node = '', , program = '', ...args] = process.argv;
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(
    `This is Node.js ${process.versions.node}; Marshal starts with ${OLDEST_NODE} or later: install one from https://nodejs.org and start again.`,
  );
  process.exitCode = 1;
} else if (program.endsWith('.ts')) {
  void import('./bootstrap.js').then(({ ensureInstalled, runMain, runNode }) =>
    runMain(async () => {
      await ensureInstalled();
      return runNode([program, ...args]);
    }),
  );
} else {
  const url = new URL(`../../${program}`, import.meta.url);
  process.argv = [node, fileURLToPath(url), ...args];
  void import(url.href);
}
