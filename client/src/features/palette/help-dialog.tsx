import { Dialog } from '#client/components/dialog.tsx';
import { GLOSSARY } from '#shared/copy.ts';
import classes from './palette.module.css';

const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl', 'K'], 'Go to a page, pilot, mission, server or setting, or do something (⌘ K on a Mac)'],
  [['?'], 'Show this help'],
  [['A'], 'Accept the focused frag order'],
  [['S'], 'Go on standby for it'],
  [['D'], 'Decline it'],
  [['←', '→'], 'Change your status when it is focused'],
  [['↑', '↓', '←', '→'], 'Move through the availability grid'],
  [['Enter'], 'Add availability there, or edit it'],
  [['Ctrl', 'Z'], 'Undo the last change to your week (Ctrl Shift Z to redo)'],
  [['Esc'], 'Close the open dialog or menu'],
];

/** Dialog with the words of flight planning and all keyboard shortcuts. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened title="Help" onClose={onClose}>
      <h3 className={classes.helpTitle}>Words</h3>
      <dl className={classes.keys}>
        {Object.values(GLOSSARY).map(([name, meaning]) => (
          <div key={name} className={classes.key}>
            <dt>
              <strong>{name}</strong>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h3 className={classes.helpTitle}>Keys</h3>
      <dl className={classes.keys}>
        {KEYS.map(([keys, what]) => (
          <div key={what} className={classes.key}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={classes.close} onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}
