import type { UserTask } from './use-user-task.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface TaskDialogProps {
  task: UserTask;
  onClose: () => void;
}

/** The question that stands before a task. */
export function TaskDialog({ task, onClose }: TaskDialogProps) {
  return task.kind === 'reset' ? (
    <PasswordDialog user={task.user} onClose={onClose} />
  ) : (
    <RoleDialog change={task.kind} role={task.role} user={task.user} onClose={onClose} />
  );
}
