/** The command line for operators: `npm run marshal -- --help`, in the container `node server/cli/marshal.ts --help`. */
import { runCommandLine } from './command.ts';
import { COMMANDS } from './commands/all.ts';

// a reader that has seen enough, such as `head`, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommandLine(COMMANDS, process.argv.slice(2));
