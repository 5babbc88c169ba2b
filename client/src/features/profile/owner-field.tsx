import { PasswordField } from '#client/components/password-field.tsx';
import { fieldIssues } from '#client/lib/errors.ts';

interface OwnerFieldProps {
  value: string;
  onChange: (password: string) => void;
  /** failure of the call that checked it */
  cause: unknown;
}

/** Field for the password that confirms a change of the second factor. */
export function OwnerField({ value, onChange, cause }: OwnerFieldProps) {
  const wrong = fieldIssues(cause).find(({ path }) => path === 'currentPassword');
  return (
    <PasswordField
      label="Current Password"
      autoComplete="current-password"
      toggles="current password"
      value={value}
      error={wrong?.message}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
