import type { UserTask } from './use-user-task.ts';
import { LinkDialog } from './link-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

interface TaskDialogProps {
  task: UserTask;
  onClose: () => void;
  /** called with the success message */
  onDone: (sentence: string) => void;
}

/** Dialog for an admin's action on a user. */
export function TaskDialog({ task, ...ends }: TaskDialogProps) {
  if (task.kind === 'reset') return <PasswordDialog user={task.user} {...ends} />;
  if (task.kind === 'link') return <LinkDialog user={task.user} onClose={ends.onClose} />;
  return <RoleDialog change={task.kind} role={task.role} user={task.user} {...ends} />;
}
