import { TextInput, type TextInputProps } from '@mantine/core';

/** The email an account is signed in with. */
export function EmailField(input: TextInputProps) {
  return <TextInput label="Email" type="email" autoComplete="username" {...input} />;
}
