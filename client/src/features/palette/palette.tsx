import { showPalette, type PaletteView } from '#client/lib/palette.ts';
import { CommandsDialog } from './commands-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';

/** Command palette or help, whichever is open. */
export function Palette({ view }: { view: PaletteView }) {
  const close = (): void => showPalette(null);
  return view === 'commands' ? <CommandsDialog onClose={close} /> : <HelpDialog onClose={close} />;
}
