import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/PasswordInput.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

interface PasswordFieldProps extends PasswordInputProps {
  /** completes the label of the eye button: `Show or hide {toggles}` */
  toggles: string;
}

/** Password field with an eye button. Adds `aria-invalid`, which Mantine's own field lacks. */
export function PasswordField({ toggles, ...input }: PasswordFieldProps) {
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': `Show or hide ${toggles}` }}
      {...input}
      aria-invalid={Boolean(input.error)}
    />
  );
}
