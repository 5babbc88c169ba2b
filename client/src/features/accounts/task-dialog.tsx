import { LeaveDialog } from '#client/domain-ui/leave/leave-dialog.tsx';
import type { UserTask } from './use-user-task.ts';
import { BanDialog } from './ban-dialog.tsx';
import { LiftBanDialog } from './lift-ban-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { ResetFactorDialog } from './reset-factor-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { personName } from './users-text.ts';

interface TaskDialogProps {
  task: UserTask;
  onClose: () => void;
  /** called with the success message */
  onDone: (sentence: string) => void;
}

/** Dialog for an admin's action on a user. */
export function TaskDialog({ task, ...ends }: TaskDialogProps) {
  if (task.kind === 'reset') return <PasswordDialog user={task.user} {...ends} />;
  if (task.kind === 'reset-factor') return <ResetFactorDialog user={task.user} {...ends} />;
  if (task.kind === 'link') return <LinkDialog user={task.user} onClose={ends.onClose} />;
  if (task.kind === 'leave') {
    const { user } = task;
    return <LeaveDialog pilot={user} name={personName(user)} leave={user.leave} onClose={ends.onClose} />;
  }
  if (task.kind === 'ban') return <BanDialog user={task.user} {...ends} />;
  if (task.kind === 'lift') {
    const { ban } = task.user;
    return ban && <LiftBanDialog ban={{ ...ban, label: personName(task.user), hasAccount: true }} {...ends} />;
  }
  return <RoleDialog change={task.kind} role={task.role} user={task.user} {...ends} />;
}
