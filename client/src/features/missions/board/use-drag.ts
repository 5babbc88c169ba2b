/** Dragging with a pointer. Keys and touch do the same by picking up and dropping (`use-pick.ts`). */
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useRef, useState, type RefObject } from 'react';

const idIn = (data: Record<string | symbol, unknown>): string | null => {
  const id = data['userId'];
  return typeof id === 'string' ? id : null;
};

/** @param userId the pilot who is dragged; null for nobody */
export function useDraggable(userId: string | null): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null || userId === null) return undefined;
    return draggable({ element, getInitialData: () => ({ userId }) });
  }, [userId]);
  return ref;
}

/** @returns the element's ref, and whether a pilot is dragged over it */
export function useDropTarget<Element extends HTMLElement>(
  onDrop: ((userId: string) => void) | null,
): [ref: RefObject<Element | null>, isOver: boolean] {
  const ref = useRef<Element>(null);
  const [isOver, setOver] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });
  const isTarget = onDrop !== null;
  useEffect(() => {
    const element = ref.current;
    if (element === null || !isTarget) return undefined;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => idIn(source.data) !== null,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        const userId = idIn(source.data);
        if (userId !== null) drop.current?.(userId);
      },
    });
  }, [isTarget]);
  return [ref, isOver];
}
