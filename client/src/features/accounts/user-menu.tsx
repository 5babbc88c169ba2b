import {
  IconBeach,
  IconCalendarTime,
  IconKey,
  IconLink,
  IconShieldOff,
  IconUserCancel,
  IconUserCheck,
  IconUserMinus,
  IconUserOff,
  IconUserPlus,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import type { ListedUserDto } from '#shared/schemas/admin.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { menuButtonId, type UserTask } from './use-user-task.ts';
import { personName } from './users-text.ts';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface UserMenuProps {
  user: ListedUserDto;
  onTask: (task: UserTask) => void;
}

/** Menu of an admin's actions on a user. */
export function UserMenu({ user, onTask }: UserMenuProps) {
  const viewer = useSignedInViewer();
  // a ban has to be lifted first
  const missing = user.ban === null ? ROLES.filter((role) => !user.roles.includes(role)) : [];
  return (
    <ActionMenu label={`Actions for ${personName(user)}`} id={menuButtonId(user.id)}>
      {missing.map((role) => (
        <MenuItem
          key={role}
          leftSection={role === 'user' ? <IconUserCheck {...ICON} /> : <IconUserPlus {...ICON} />}
          onClick={() => onTask({ kind: 'add', role, user })}
        >
          {role === 'user' ? 'Restore' : `Add ${role} role`}
        </MenuItem>
      ))}
      {user.roles.map((role) => (
        <MenuItem
          key={role}
          leftSection={role === 'user' ? <IconUserOff {...ICON} /> : <IconUserMinus {...ICON} />}
          onClick={() => onTask({ kind: 'remove', role, user })}
        >
          {role === 'user' ? `Suspend ${personName(user)}…` : `Remove ${role} role`}
        </MenuItem>
      ))}
      {user.id !== viewer.id && (
        <MenuItem
          leftSection={<IconUserCancel {...ICON} />}
          onClick={() => onTask({ kind: user.ban === null ? 'ban' : 'lift', user })}
        >
          {user.ban === null ? `Ban ${personName(user)}…` : 'Lift ban…'}
        </MenuItem>
      )}
      {user.roles.includes('user') && (
        <MenuItem leftSection={<IconBeach {...ICON} />} onClick={() => onTask({ kind: 'leave', user })}>
          Leave of absence…
        </MenuItem>
      )}
      {user.id !== viewer.id && (
        <MenuItem leftSection={<IconLink {...ICON} />} onClick={() => onTask({ kind: 'link', user })}>
          Sign-in link
        </MenuItem>
      )}
      <MenuItem leftSection={<IconKey {...ICON} />} onClick={() => onTask({ kind: 'reset', user })}>
        Reset password
      </MenuItem>
      {user.id !== viewer.id && user.hasSecondFactor && (
        <MenuItem leftSection={<IconShieldOff {...ICON} />} onClick={() => onTask({ kind: 'reset-factor', user })}>
          Reset two-step sign-in…
        </MenuItem>
      )}
      <MenuItem
        leftSection={<IconCalendarTime {...ICON} />}
        renderRoot={(props) => <Link {...props} to="/admin/users/$userId/availability" params={{ userId: user.id }} />}
      >
        Availability
      </MenuItem>
    </ActionMenu>
  );
}
