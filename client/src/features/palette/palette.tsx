import { showPalette, type PaletteView } from '#client/lib/palette.ts';
import { CommandsDialog } from './commands-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';

/** Command palette or list of keys, whichever is open. */
export function Palette({ view }: { view: PaletteView }) {
  const close = (): void => showPalette(null);
  return view === 'commands' ? <CommandsDialog onClose={close} /> : <KeysDialog onClose={close} />;
}
