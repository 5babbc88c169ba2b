import { Link } from '@tanstack/react-router';
import { trpc } from '#client/lib/trpc.ts';

/** Link to /forgot-password, where the server sends email. */
export function ForgotPasswordLink() {
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  return ways.data?.mail === true ? <Link to="/forgot-password">Forgot your password?</Link> : null;
}
