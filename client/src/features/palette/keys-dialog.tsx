import { Dialog } from '#client/components/dialog.tsx';
import classes from './palette.module.css';

const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['Ctrl', 'K'], 'Go to a page, an order, or an action (⌘ K on a Mac)'],
  [['?'], 'Show these keys'],
  [['A'], 'Accept the focused frag order'],
  [['S'], 'Go on standby for it'],
  [['D'], 'Decline it'],
  [['←', '→'], 'Change your status when it is focused'],
  [['↑', '↓', '←', '→'], 'Move through the availability grid'],
  [['Enter'], 'Add availability there, or edit it'],
  [['Ctrl', 'Z'], 'Undo the last change to your week (Ctrl Shift Z to redo)'],
  [['Esc'], 'Close the open dialog or menu'],
];

/** Dialog with all keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened title="Keys" onClose={onClose}>
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
