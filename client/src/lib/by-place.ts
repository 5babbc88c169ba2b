/** Elements without keys: for lists whose entries are told apart by their place alone, such as the paragraphs of a text. */
import { createElement, Fragment, type ReactNode } from 'react';

export function byPlace<T>(list: readonly T[], render: (entry: T, place: number) => ReactNode): ReactNode {
  return createElement(Fragment, null, ...list.map(render));
}
