import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { QUERY_MAX_LENGTH } from './users-search.ts';

/** Typing that rests for so long is asked for, ms. */
const REST_MS = 300;

interface SearchFieldProps {
  /** what is looked for now */
  value: string;
  /** @param isRefined the same search goes on: one step for Back, not one for each letter */
  onSearch: (query: string, isRefined: boolean) => void;
}

/** What is typed is looked for by itself, after a rest or with Enter; a value that changes elsewhere (Back) is shown. */
export function SearchField({ value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  /** what was asked for last, here or by the address */
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
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a rest begins with a letter, not with every drawing
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
          placeholder="Call sign or email"
          maxLength={QUERY_MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden="true" />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={() => setRefined(false)}
        />
      </form>
    </search>
  );
}
