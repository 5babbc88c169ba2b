/** A 24-hour time field: `HH:mm` in every browser language, typed as 1900, 19:00, 19.00, 0730 or 7. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useState, type ChangeEvent } from 'react';
import { readWallTime } from '#client/lib/wall-time.ts';

interface TimeFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** `HH:mm`, '' while empty, or text that is not a time, for the form to refuse */
  value: string;
  onChange: (value: string) => void;
}

export function TimeField({ value, onChange, onFocus, onBlur, ...input }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  // Undo and other fields can change the value too: the typed text is shown only while it matches the value.
  const isTyping = typed !== null && (readWallTime(typed) ?? typed) === value;
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const text = currentTarget.value;
    const time = readWallTime(text);
    // Four digits are complete; `7` may still become `730`.
    setTyped(time !== undefined && /^\d{4}$/.test(text) ? time : text);
    onChange(time ?? text);
  };
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:mm"
      {...input}
      value={isTyping ? typed : value}
      onChange={change}
      // Selected, so that typing replaces the time without five backspaces.
      onFocus={(event) => {
        event.currentTarget.select();
        onFocus?.(event);
      }}
      onClick={({ currentTarget }) => {
        if (!isTyping) {
          currentTarget.select();
        }
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}
