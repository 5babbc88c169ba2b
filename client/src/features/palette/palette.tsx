import { showPalette, type PaletteView } from '#client/lib/palette.ts';
import { CommandsDialog } from './commands-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';

/** The open one of the two keyboard dialogs. */
export function Palette({ view }: { view: PaletteView }) {
  const close = (): void => showPalette(null);
  return view === 'commands' ? <CommandsDialog onClose={close} /> : <KeysDialog onClose={close} />;
}
