/** Building blocks of the component catalogue: the type of its entries, and stateful wrappers. */
import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';

/** Specimens by file (path below `client/src` without extension) and by name of the state. */
export type Specimens = Record<string, Record<string, ReactNode>>;

export const LONG =
  'A text of a length that nobody planned for: Donaudampfschifffahrtsgesellschaft, four aircraft, three packages and a pilot whose call sign takes two lines';

export const noop = (): void => undefined;

interface StatefulProps<Value> {
  initial: Value;
  children: (value: Value, change: (value: Value) => void) => ReactNode;
}

/** A specimen with state, so that its control works. */
export function Stateful<Value>({ initial, children }: StatefulProps<Value>) {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}

/** A button that opens a specimen; the specimen gets a function that closes it. */
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
