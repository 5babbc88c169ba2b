import { Stack } from '@mantine/core';
import { EmailField } from '#client/components/email-field.tsx';
import { PasswordField } from '#client/components/password-field.tsx';
import { copy } from '#shared/copy.ts';

/** The part of Mantine's form used here; the full type differs for every form. */
interface FormOf<Field extends string> {
  key: (field: Field) => string;
  getInputProps: (field: Field) => object;
}
type PasswordFieldName = 'password' | 'confirmPassword';

/** Fields for an account's email and new password, with confirmation. */
export function CredentialsFields({ form }: { form: FormOf<'email' | PasswordFieldName> }) {
  return (
    <Stack gap="md">
      <EmailField key={form.key('email')} {...form.getInputProps('email')} />
      <NewPasswordFields form={form} />
    </Stack>
  );
}

/** Fields for a new password and its confirmation. */
export function NewPasswordFields({ form }: { form: FormOf<PasswordFieldName> }) {
  return (
    <>
      <PasswordField
        label="Password"
        description={copy.passwordHint}
        autoComplete="new-password"
        toggles="password"
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        toggles="confirmation"
        key={form.key('confirmPassword')}
        {...form.getInputProps('confirmPassword')}
      />
    </>
  );
}
