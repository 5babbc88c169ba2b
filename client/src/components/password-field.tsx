import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface PasswordFieldProps extends PasswordInputProps {
  /** what the button with the eye shows or hides: `Show or hide {toggles}` */
  toggles: string;
}

/** A password with its eye. Mantine's own says that it was refused by its looks alone. */
export function PasswordField({ toggles, ...input }: PasswordFieldProps) {
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${toggles}` }}
      {...input}
      aria-invalid={Boolean(input.error)}
    />
  );
}
