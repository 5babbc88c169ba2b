/** The command line for operators: `npm run marshal -- --help`, in the container `node server/cli/marshal.ts --help`. */
import { runCommandLine } from './command.ts';
import { COMMANDS } from './commands/all.ts';

process.exitCode = await runCommandLine(COMMANDS, process.argv.slice(2));
