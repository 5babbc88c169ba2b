import { useEffect, useRef, useState } from 'react';

/**
 * A field whose text stands in the address: what is typed shows at once, the address follows, and Back brings an
 * earlier text back into the field.
 * @param addressed the text of the address
 * @param onType writes it there
 */
export function useTypedText(addressed: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(addressed);
  /** what was typed here and has not come back from the address, oldest first */
  const written = useRef<string[]>([]);
  useEffect(() => {
    // what was written here comes back late, when more may have been typed; only another text is news
    const at = written.current.indexOf(addressed);
    written.current = written.current.slice(at + 1);
    if (at === -1) {
      written.current = [];
      setText(addressed);
    }
  }, [addressed]);
  return [
    text,
    (typed) => {
      // In step with the address nothing is on its way any more.
      written.current = text === addressed ? [typed] : [...written.current, typed];
      setText(typed);
      onType(typed);
    },
  ];
}
