import { IconCheck, IconCopy, type TablerIcon } from '@tabler/icons-react';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** text to copy */
  text: string;
  label: string;
  /** label for two seconds after copying */
  copiedLabel: string;
  icon?: TablerIcon;
}

/** Inline button that copies the text beside it. */
export function CopyButton({ text, label, copiedLabel, icon = IconCopy }: CopyButtonProps) {
  const { copied, copy } = useClipboard();
  const Icon = copied ? IconCheck : icon;
  return (
    <IconButton inline label={copied ? copiedLabel : label} onClick={() => void copy(text)}>
      <Icon size={18} aria-hidden="true" />
    </IconButton>
  );
}
