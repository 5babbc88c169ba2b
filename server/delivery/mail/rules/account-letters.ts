/** Letters about an account itself, which nobody can unsubscribe from, the invite to make one, and the requests for one. */
import { SLOT_REQUESTS, type SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import type { Letter } from './letter.ts';

interface Reader {
  /** call sign; null before it is chosen */
  name: string | null;
  /** name of the community, or Marshal */
  community: string;
}

const hello = (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`);

/** @param minutes that the link works */
export function passwordLetter({ name, community, url, minutes }: Reader & { url: string; minutes: number }): Letter {
  return {
    subject: `Choose a new password for ${community}`,
    preview: `The link works once, within ${minutes} minutes.`,
    heading: 'Choose a new password',
    paragraphs: [
      hello(name),
      `Somebody asked for a new password for your account at ${community}. If it was you, choose one here.`,
    ],
    button: { label: 'Choose a password', url },
    remarks: [
      `The link works once, within ${minutes} minutes. Saving a new password signs you out everywhere else.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
    because: `You get this because your account at ${community} has this address.`,
  };
}

/** @param days that the link works */
export function welcomeLetter({
  name,
  community,
  url,
  email,
  days,
}: Reader & { url: string; email: string; days: number }): Letter {
  return {
    subject: `Your account at ${community}`,
    preview: 'Choose a password, and you can sign in.',
    heading: `Your account at ${community}`,
    paragraphs: [
      hello(name),
      `An admin of ${community} has an account for you. Choose a password, and you can sign in.`,
    ],
    facts: [['You sign in as', email]],
    button: { label: 'Choose a password', url },
    remarks: [`The link works once, within ${days} days. It is yours alone: do not pass it on.`],
    because: `You get this because an admin of ${community} entered this address for you.`,
  };
}

export function testLetter({ community, url }: { community: string; url: string }): Letter {
  return {
    subject: `Test email from ${community}`,
    preview: 'Email works.',
    heading: 'Email works',
    paragraphs: [`This is the test that you asked for. ${community} can send email.`],
    button: { label: 'Open the settings', url },
    because: 'You get this because you pressed “Send a test email to yourself” in the settings.',
  };
}

/** @param days that the link works */
export function verificationLetter({
  name,
  community,
  url,
  email,
  days,
}: Reader & { url: string; email: string; days: number }): Letter {
  return {
    subject: `Confirm your address for ${community}`,
    preview: 'One click, so that frag orders and a forgotten password reach you.',
    heading: 'Confirm your address',
    paragraphs: [hello(name), `Your account at ${community} has the address ${email}. Confirm that it is yours.`],
    button: { label: 'Confirm the address', url },
    remarks: [`The link works for ${days} days. If you have no account there, do nothing.`],
    because: `You get this because somebody entered this address for an account at ${community}.`,
  };
}

const SECURITY_WORDS = {
  signed_in: {
    heading: 'New sign-in to your account',
    tells: (community: string) =>
      `Somebody signed in to your account at ${community} from a browser that had not done so before.`,
    advice: 'If it was not you, change your password now: that signs everybody else out.',
  },
  second_factor_off: {
    heading: 'Two-step sign-in is off',
    tells: (community: string) =>
      `Your account at ${community} no longer has a second factor. Signing in takes one step again.`,
    advice: 'If it was not you, change your password now and turn two-step sign-in on again.',
  },
  second_factor_reset: {
    heading: 'Your second factor was removed',
    tells: (community: string) =>
      `An admin of ${community} removed the second factor of your account, so that you can sign in without it.`,
    advice: 'If you did not ask for it, tell your admins, and set up a second factor again.',
  },
} as const;

interface SecurityNews extends Reader {
  url: string;
  news: keyof typeof SECURITY_WORDS;
  /** in words */
  time: string;
  device: string | null;
  address: string | null;
}

export function securityLetter({ name, community, url, news, time, device, address }: SecurityNews): Letter {
  const { heading, tells, advice } = SECURITY_WORDS[news];
  return {
    subject: `${heading} at ${community}`,
    preview: advice,
    heading,
    paragraphs: [hello(name), tells(community)],
    facts: [
      ['When', time],
      ...(device === null ? [] : [['Device', device] as const]),
      ...(address === null ? [] : [['Address', address] as const]),
    ],
    button: { label: 'See your sign-ins', url },
    remarks: [advice],
    because: `You get this because it concerns the safety of your account at ${community}.`,
  };
}

interface InviteNews {
  community: string;
  /** call sign of the admin; null once that account is gone */
  invitedBy: string | null;
  url: string;
  unsubscribeUrl: string;
}

export function inviteLetter({ community, invitedBy, url, unsubscribeUrl }: InviteNews): Letter {
  return {
    subject: `You are invited to ${community}`,
    preview: 'State when you can fly and what you fly, and missions that fit come to you.',
    heading: `Fly with ${community}`,
    paragraphs: [
      `${invitedBy ?? 'An admin'} invites you to ${community}.`,
      'Create an account, state when you can fly and what you fly, and missions that fit come to you.',
    ],
    button: { label: 'Accept the invite', url },
    because: `You get this because an admin of ${community} entered this address.`,
    unsubscribe: { label: 'No more invites to this address', url: unsubscribeUrl },
  };
}

interface RequestNews {
  community: string;
  /** those that came since the last email, the oldest first; at least one */
  requests: readonly Pick<SlotRequestDto, 'handle' | 'module' | 'level' | 'slot'>[];
  url: string;
  unsubscribeUrl: string;
}

/** To an admin. Without addresses and notes, which are read on the site. */
export function requestsLetter({ community, requests, url, unsubscribeUrl }: RequestNews): Letter {
  const [first] = requests;
  const asks =
    first && requests.length === 1 ? `${first.handle} asks for a slot` : `${requests.length} visitors ask for a slot`;
  const further = requests.length - SLOT_REQUESTS.named;
  return {
    subject: `${asks} at ${community}`,
    preview: 'Answer with an invite, or dismiss the request.',
    heading: asks,
    paragraphs: [`They filled in the form on the front page of ${community}, and have no account yet.`],
    facts: requests
      .slice(0, SLOT_REQUESTS.named)
      .map(({ handle, module, level, slot }) => [module, `${handle}, ${level}, ${slot}`]),
    button: { label: requests.length === 1 ? 'Open the request' : 'Open the requests', url },
    remarks: further > 0 ? [`And ${further} more.`] : [],
    because: 'You get this because requests of visitors are sent to admins by email, at most once an hour.',
    unsubscribe: { label: 'No more email about requests', url: unsubscribeUrl },
  };
}
