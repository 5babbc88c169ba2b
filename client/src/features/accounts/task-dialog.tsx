import type { UserTask } from './use-user-task.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface TaskDialogProps {
  task: UserTask;
  onClose: () => void;
  /** what came of it, in the specification's words */
  onDone: (sentence: string) => void;
}

/** The question that stands before a task. */
export function TaskDialog({ task, ...ends }: TaskDialogProps) {
  return task.kind === 'reset' ? (
    <PasswordDialog user={task.user} {...ends} />
  ) : (
    <RoleDialog change={task.kind} role={task.role} user={task.user} {...ends} />
  );
}
