/** The command line for operators: `npm run marshal -- --help`, in the container `node server/cli/marshal.ts --help`. */
import { runCommandLine } from './command.ts';
import { COMMANDS } from './commands/all.ts';

// `head` closes the pipe once it has read enough, which is not an error
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommandLine(COMMANDS, process.argv.slice(2));
