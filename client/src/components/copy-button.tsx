import { IconCheck, IconCopy, type TablerIcon } from '@tabler/icons-react';
import { useClipboard } from '#client/lib/use-clipboard.ts';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** what is copied */
  text: string;
  label: string;
  /** the label for the two seconds after it worked */
  copiedLabel: string;
  icon?: TablerIcon;
}

/** Copies a text; stands in a line, beside what it copies. */
export function CopyButton({ text, label, copiedLabel, icon = IconCopy }: CopyButtonProps) {
  const { copied, copy } = useClipboard();
  const Icon = copied ? IconCheck : icon;
  return (
    <IconButton inline label={copied ? copiedLabel : label} onClick={() => void copy(text)}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
    </IconButton>
  );
}
