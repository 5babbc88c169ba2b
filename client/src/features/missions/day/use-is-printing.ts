import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** True while printing, updated before the browser lays out the page, so that hidden parts can be rendered for it. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const media = matchMedia('print');
    const follow = ({ matches }: { matches: boolean }): void => flushSync(() => setPrinting(matches));
    const before = (): void => follow({ matches: true });
    const after = (): void => follow({ matches: false });
    media.addEventListener('change', follow);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      media.removeEventListener('change', follow);
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return isPrinting;
}
