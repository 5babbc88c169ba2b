import { TextInput, type TextInputProps } from '@mantine/core';

/** Field for the email of an account. */
export function EmailField(input: TextInputProps) {
  return <TextInput label="Email" type="email" autoComplete="username" {...input} />;
}
