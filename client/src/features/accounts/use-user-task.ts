import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import type { Role } from '#shared/vocabulary.ts';

/** An admin's action on a user that is being confirmed. */
export type UserTask = { user: ListedUserDto } & (
  | { kind: 'add' | 'remove'; role: Role }
  | { kind: 'reset' }
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
 */
export function useUserTask(fallback: RefObject<HTMLElement | null>) {
  const [task, setTask] = useState<UserTask | null>(null);
  const userId = useRef<string>(undefined);
  useEffect(() => {
    if (task !== null) {
      userId.current = task.user.id;
    } else if (userId.current !== undefined && document.activeElement === document.body) {
      (document.getElementById(menuButtonId(userId.current)) ?? fallback.current)?.focus();
    }
  }, [task, fallback]);
  return { task, begin: setTask, end: () => setTask(null) };
}
