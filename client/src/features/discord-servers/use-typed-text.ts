import { useEffect, useRef, useState } from 'react';

/**
 * State of a text field that is mirrored in the address: typing shows at once, the address follows, and Back restores earlier
 * text.
 * @param addressed text from the address
 * @param onType writes the text to the address
 */
export function useTypedText(addressed: string, onType: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(addressed);
  /** typed texts that the address does not show yet, oldest first */
  const written = useRef<string[]>([]);
  useEffect(() => {
    // Own texts arrive late, when more may have been typed; only a text from elsewhere changes the field.
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
      // When field and address match, nothing is pending.
      written.current = text === addressed ? [typed] : [...written.current, typed];
      setText(typed);
      onType(typed);
    },
  ];
}
