import { useEffect, useRef, useState } from 'react';

/** How long "copied" stays, ms. */
const COPIED_MS = 2000;

/** Copy text; `copied` is true for two seconds after it worked. */
export function useClipboard(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = (text: string): void => {
    void navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => setCopied(false), COPIED_MS);
      },
      // Refused by the browser: the button keeps its first words.
      () => setCopied(false),
    );
  };
  return { copied, copy };
}
