/** The operations on what reaches an account: notified devices, Discord, and the access tokens of scripts. */
import type { Operation, Subject } from './operations.ts';

/** A device as a browser names it; its keys are those of RFC 8291, section 5. */
const PUSH_SUBSCRIPTION = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/nobody',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};
const nothing = () => undefined;
const own = ({ id }: Subject) => ({ id });

export const REACH_OPERATIONS: Record<string, Operation> = {
  'pilot.push.key': { policy: 'pilot', input: nothing },
  'pilot.push.subscriptions': { policy: 'pilot', input: nothing },
  // Before the first subscription, so that no request leaves this machine.
  'pilot.push.test': { policy: 'pilot', input: nothing },
  'pilot.push.subscribe': { policy: 'pilot', input: () => PUSH_SUBSCRIPTION },
  'pilot.push.unsubscribe': { policy: 'signedIn', input: () => ({ endpoint: PUSH_SUBSCRIPTION.endpoint }) },

  'pilot.discord': { policy: 'selfPilot', input: own },
  'pilot.setDiscord': {
    policy: 'selfPilot',
    input: ({ id }) => ({ id, wantsOrders: false }),
    refusal: ['DISCORD_NOT_LINKED', 'No Discord account is linked'],
  },
  'pilot.unlinkDiscord': { policy: 'selfPilot', input: own },

  'auth.tokens.list': { policy: 'selfPilot', input: own },
  'auth.tokens.create': {
    policy: 'selfPilot',
    input: ({ id }) => {
      const expiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
      return { id, name: 'Roster', scopes: ['read', 'pilot'], expiresAt };
    },
    adminRefusal: ['FORBIDDEN', 'You are not allowed to do this'],
  },
  'auth.tokens.revoke': {
    policy: 'selfPilot',
    // the id of no token
    input: ({ id }) => ({ id, tokenId: id }),
    refusal: ['TOKEN_NOT_FOUND', 'Access token not found'],
  },
};
