import { IconX } from '@tabler/icons-react';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import type { UserTask } from './use-user-task.ts';
import { personName } from './users-text.ts';
import classes from './role-plates.module.css';

interface RolePlatesProps {
  user: ListedUserDto;
  onTask: (task: UserTask) => void;
}

/** Roles of a user, each with a remove button. */
export function RolePlates({ user, onTask }: RolePlatesProps) {
  return (
    <ul className={classes.roles}>
      {user.roles.map((role) => (
        <li key={role} className={classes.role} data-role={role}>
          {role}
          <button
            type="button"
            className={classes.remove}
            aria-label={`Remove ${role} role from ${personName(user)}`}
            title={`Remove ${role} role`}
            onClick={() => onTask({ kind: 'remove', role, user })}
          >
            <IconX size={14} aria-hidden="true" />
          </button>
        </li>
      ))}
      {!user.roles.includes('user') && (
        <li>
          <Badge signal="yellow">Suspended</Badge>
        </li>
      )}
    </ul>
  );
}
