import type { FieldIssue } from '#client/lib/errors.ts';
import { loginInput } from '#shared/schemas/auth.ts';

/** Lists what is wrong with an email and a password. */
export function checkLogin(values: { email: string; password: string }): FieldIssue[] {
  const issues = loginInput.safeParse(values).error?.issues ?? [];
  return issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}
