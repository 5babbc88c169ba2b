import { CopyButton } from '#client/components/copy-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { restoreSteps } from './backups-text.ts';
import classes from './backups.module.css';

/** The commands that restore a backup. The page itself cannot: whoever takes over a session must not replace the data. */
export function RestorePanel({ isContainer }: { isContainer: boolean }) {
  return (
    <Panel title="How to restore">
      <ol className={classes.steps}>
        {restoreSteps(isContainer).map(({ step, command }) => (
          <li key={step}>
            {step}
            {command !== null && (
              <span className={classes.command}>
                <code>{command}</code>
                <CopyButton text={command} label={`Copy the command: ${step}`} copiedLabel="Command copied" />
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className={classes.text}>
        For another backup, write its name in place of <code>latest</code>. The command reads the whole file before it
        changes anything, asks before it replaces your data, and backs that up first. Afterwards everybody signs in
        again. On a new machine, leave out <code>--replace</code>, and bring your <code>.env</code> along: it is not in
        the backup.
      </p>
    </Panel>
  );
}
