/** The frame of a command of `npm run marshal`: its options, help, output and exit code. */
import { Command as Parser, CommanderError } from 'commander';
import type { z } from 'zod';
import { AppError } from '#server/platform/errors.ts';

/** Exit codes: done, refused or failed, called in a wrong way. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/** Result of a command: `text` for people, `data` for `--json`. */
export interface Outcome {
  text: string;
  data: unknown;
  /** 0 unless it says otherwise */
  code?: number;
}

export interface Command {
  name: string;
  /** its argument as the help shows it, such as `<email>` or `[email]`; none if missing */
  argument?: string;
  /** one sentence */
  description: string;
  /** as the help shows them: flags and meaning */
  options: readonly (readonly [flags: string, meaning: string])[];
  /** what follows `npm run marshal -- ` */
  examples: readonly string[];
  /**
   * Imports the rooms that it needs when it runs: loading all of them takes a second, and the help needs none.
   * @returns null if it has written its output itself
   */
  run(given: Given): Promise<Outcome | null>;
}

export interface Given {
  /** '' for none */
  argument: string;
  /** by their long names; checked by the command's schema */
  options: Record<string, unknown>;
}

/** A call that the command cannot read, such as an unknown scope. */
export class UsageError extends Error {}

/** @throws UsageError the first rule that the options break */
export function readOptions<Schema extends z.ZodType>(schema: Schema, options: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(options);
  if (error) throw new UsageError(error.issues[0]?.message ?? 'This cannot be read.');
  return data;
}

function report(error: unknown, isJson: boolean): number {
  const code = error instanceof AppError ? error.code : error instanceof UsageError ? 'WRONG_USE' : 'FAILED';
  const message = error instanceof Error ? error.message : String(error);
  console.error(isJson ? JSON.stringify({ error: { code, message } }) : message);
  return error instanceof UsageError ? EXIT.wrongUse : EXIT.failed;
}

async function execute(command: Command, given: Given): Promise<number> {
  const isJson = given.options['json'] === true;
  try {
    const outcome = await command.run(given);
    if (outcome !== null) console.log(isJson ? JSON.stringify(outcome.data) : outcome.text);
    return outcome?.code ?? EXIT.done;
  } catch (error) {
    return report(error, isJson);
  }
}

/** Reads the arguments and runs the command that they name. @returns the exit code */
export async function runCommandLine(commands: readonly Command[], args: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = new Parser('npm run marshal --')
    .description('Commands for the operator of a Marshal. They use the settings of `npm start`.')
    .usage('<command> [options]')
    .exitOverride()
    .showHelpAfterError('Add --help to see how it is used.')
    .addHelpText(
      'after',
      "\nExit codes: 0 done, 1 refused or failed, 2 called in a wrong way.\nFor output without npm's own lines: npm run --silent marshal -- …",
    );
  for (const command of commands) {
    const parser = program
      .command(command.name)
      .description(command.description)
      .addHelpText('after', `\nExamples:\n${command.examples.map((one) => `  npm run marshal -- ${one}`).join('\n')}`);
    if (command.argument !== undefined) parser.argument(command.argument);
    for (const [flags, meaning] of command.options) parser.option(flags, meaning);
    parser.option('--json', 'print JSON').allowExcessArguments(false);
    parser.action(async (...values: unknown[]) => {
      const [argument] = command.argument === undefined ? [] : values;
      code = await execute(command, { argument: typeof argument === 'string' ? argument : '', options: parser.opts() });
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  }
  return code;
}
