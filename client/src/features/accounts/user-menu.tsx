import { IconCalendarTime, IconKey, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ActionMenu, MenuAction, menuItemClass } from '#client/components/action-menu.tsx';
import type { UserDto } from '#shared/schemas/auth.ts';
import { ROLES } from '#shared/vocabulary.ts';
import { menuButtonId, type UserTask } from './use-user-task.ts';
import { personName } from './users-text.ts';

interface UserMenuProps {
  user: UserDto;
  onTask: (task: UserTask) => void;
}

/** Everything an admin can do with one person. */
export function UserMenu({ user, onTask }: UserMenuProps) {
  const missing = ROLES.filter((role) => !user.roles.includes(role));
  return (
    <ActionMenu label={`Actions for ${personName(user)}`} id={menuButtonId(user.id)}>
      {missing.map((role) => (
        <MenuAction key={role} icon={IconUserPlus} onSelect={() => onTask({ kind: 'add', role, user })}>
          Add {role} role
        </MenuAction>
      ))}
      {user.roles.map((role) => (
        <MenuAction key={role} icon={IconUserMinus} onSelect={() => onTask({ kind: 'remove', role, user })}>
          Remove {role} role
        </MenuAction>
      ))}
      <MenuAction icon={IconKey} onSelect={() => onTask({ kind: 'reset', user })}>
        Reset password
      </MenuAction>
      <Link
        to="/admin/users/$userId/availability"
        params={{ userId: user.id }}
        role="menuitem"
        tabIndex={-1}
        className={menuItemClass}
      >
        <IconCalendarTime size={18} stroke={1.75} aria-hidden="true" />
        Availability
      </Link>
    </ActionMenu>
  );
}
