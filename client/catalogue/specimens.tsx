/** The catalogue's building blocks: the shape of its entries, and specimens that keep what is chosen. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';

/** File below `client/src` without its ending, then the states it can be seen in, by their names. */
export type Specimens = Record<string, Record<string, ReactNode>>;

export const LONG =
  'A text of a length that nobody planned for: Donaudampfschifffahrtsgesellschaft, four aircraft, three packages and a pilot whose call sign takes two lines';

export const noop = (): void => undefined;

interface StatefulProps<Value> {
  initial: Value;
  children: (value: Value, change: (value: Value) => void) => ReactNode;
}

/** A specimen that can be used: it keeps what is chosen. */
export function Stateful<Value>({ initial, children }: StatefulProps<Value>) {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}

/** A button that opens a specimen, which takes what closes it. */
export function Opened({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
