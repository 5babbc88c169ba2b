import { useEffect, useRef, useState } from 'react';

/**
 * A field whose text stands in the address: what is typed shows at once, the address follows, and Back brings an
 * earlier text back into the field.
 * @param addressed the text of the address
 * @param onType writes it there
 */
export function useTypedText(addressed: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(addressed);
  const written = useRef(addressed);
  useEffect(() => {
    // what was written here comes back late; only another text is news
    if (addressed !== written.current) {
      written.current = addressed;
      setText(addressed);
    }
  }, [addressed]);
  return [
    text,
    (typed) => {
      written.current = typed;
      setText(typed);
      onType(typed);
    },
  ];
}
