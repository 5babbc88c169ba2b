import { useEffect, useRef, useState, type RefObject } from 'react';
import type { UserDto } from '#shared/schemas/auth.ts';
import type { Role } from '#shared/vocabulary.ts';

/** What an admin is about to do with somebody, and is asked about first. */
export type UserTask = { user: UserDto } & ({ kind: 'add' | 'remove'; role: Role } | { kind: 'reset' });

/** Id of the button that opens a person's menu. */
export function menuButtonId(userId: string): string {
  return `actions-${userId}`;
}

/**
 * One task at a time. A dialog gives the focus back to its opener; where that went with what it did (a role's remove
 * button, an item of a closed menu), the person's menu takes it.
 * @param fallback takes the focus when the person is no longer in the list
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
