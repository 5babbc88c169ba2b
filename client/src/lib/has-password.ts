import { useSignedInViewer } from './session.ts';
import { trpc } from './trpc.ts';

/**
 * True if the viewer can sign in with a password; undefined while loading. Accounts without an email have none; imported
 * ones can have an email and no password.
 */
export function useHasPassword(): boolean | undefined {
  const { email } = useSignedInViewer();
  // the state of the account's deletion names it, because asking for it needs the password
  const { data } = trpc.auth.deletion.useQuery(undefined, { enabled: email !== '' });
  return email === '' ? false : data?.hasPassword;
}
