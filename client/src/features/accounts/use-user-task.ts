import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import type { Role } from '#shared/vocabulary.ts';

/** An admin's action on a user that is being confirmed. */
export type UserTask = { user: ListedUserDto } & (
  | { kind: 'add' | 'remove'; role: Role }
  | { kind: 'reset' }
  | { kind: 'reset-factor' }
  | { kind: 'link' }
  | { kind: 'leave' }
  | { kind: 'ban' }
  | { kind: 'lift' }
);

/** Id of the button that opens a user's menu. */
export function menuButtonId(userId: string): string {
  return `actions-${userId}`;
}

/**
 * State of the open dialog. A dialog returns the focus to its opener; if the action removed that (a role's remove button,
 * an item of a closed menu), the focus moves to the user's menu button.
 * @param fallback gets the focus when the user is no longer in the list
 * @param rows the list as it is on screen, which may change a moment after the dialog has closed
 */
export function useUserTask(fallback: RefObject<HTMLElement | null>, rows: unknown) {
  const [task, setTask] = useState<UserTask | null>(null);
  const userId = useRef<string>(undefined);
  const isOpen = task !== null;
  useEffect(() => {
    if (task !== null) userId.current = task.user.id;
  }, [task]);
  useEffect(() => {
    const isLost = rows !== undefined && document.activeElement === document.body;
    if (!isOpen && userId.current !== undefined && isLost) {
      (document.getElementById(menuButtonId(userId.current)) ?? fallback.current)?.focus();
      userId.current = undefined;
    }
  }, [isOpen, rows, fallback]);
  return { task, begin: setTask, end: () => setTask(null) };
}
