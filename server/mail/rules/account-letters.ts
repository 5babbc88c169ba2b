/** Letters about an account itself. They have no link to unsubscribe, because nobody can do without them. */
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
