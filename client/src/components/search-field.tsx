import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

/** Debounce of typing, ms. */
const REST_MS = 300;

interface SearchFieldProps {
  placeholder: string;
  maxLength: number;
  /** current search text */
  value: string;
  /** @param isRefined true if typing continues the same search, which should be a single step for Back */
  onSearch: (query: string, isRefined: boolean) => void;
}

/** Search field that searches while typing, after a pause or on Enter, and follows changes of the address (Back). */
export function SearchField({ value, placeholder, maxLength, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  /** last search text, from this field or from the address */
  const [asked, setAsked] = useState(value);
  const [shown, setShown] = useState(value);
  const [isRefined, setRefined] = useState(false);
  if (value !== shown) {
    setShown(value);
    if (value !== asked) {
      setAsked(value);
      setText(value);
      setRefined(false);
    }
  }
  const wanted = text.trim();
  const ask = (): void => {
    if (wanted !== asked) {
      setAsked(wanted);
      setRefined(true);
      onSearch(wanted, isRefined);
    }
  };
  useEffect(() => {
    if (wanted === asked) {
      return undefined;
    }
    const timer = setTimeout(ask, REST_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- restart the timer on typing, not on every render
  }, [wanted, asked]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <TextInput
          type="search"
          label="Search"
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={() => setRefined(false)}
        />
      </form>
    </search>
  );
}
