import { useEffect, useRef, useState } from 'react';

/** How long "copied" stays, ms. */
const COPIED_MS = 2000;

/** Copy text; `copied` is true for two seconds after it worked, and `copy` says whether it did. */
export function useClipboard(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async (text: string): Promise<boolean> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Refused by the browser: the button keeps its first words.
      return false;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), COPIED_MS);
    return true;
  };
  return { copied, copy };
}
