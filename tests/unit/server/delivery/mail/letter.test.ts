/** The layout of email: nothing that people enter can leave its place, in HTML, in plain text and in the subject. */
import { describe, expect, test } from 'vitest';
import { subjectOf, writeHtml, writeText, type Letter } from '#server/delivery/mail/rules/letter.ts';
import { zuluAndLocal } from '#server/time/clock-text.ts';

const letter: Letter = {
  subject: 'Changed: Op Iron Hound (FRAG-007)',
  preview: 'In short',
  heading: 'Op Iron Hound',
  paragraphs: ['Hello Viper,', 'word '.repeat(60)],
  facts: [
    ['Seat', 'Viper 1, seat 2'],
    ['Answer by', 'Fri 20 Nov 1900Z'],
  ],
  button: { label: 'Open the order', url: `https://marshal.example.org/orders/${'x'.repeat(120)}?a=1&b=2` },
  because: 'Because you asked.',
  unsubscribe: { label: 'No more of these', url: 'https://marshal.example.org/email/unsubscribe/token' },
};

const sections = [
  {
    heading: 'Your seats',
    entries: [
      {
        title: 'Op <b>Iron</b>\nHound',
        lines: ['Fri 20 Nov 1900Z', '"Viper" 1'],
        link: { label: 'Open <it>', url: `https://marshal.example.org/orders/${'y'.repeat(90)}?a=1&b=2` },
      },
    ],
  },
];

test('entries with links of their own: in plain text each link on a line, in HTML nothing but text and the link', () => {
  const text = writeText({ ...letter, sections }, 'Lantern Wing');
  const [entry] = sections[0]?.entries ?? [];
  expect(text).toContain(`\n\nYOUR SEATS\n\nOp <b>Iron</b> Hound\nFri 20 Nov 1900Z\n"Viper" 1\n${entry?.link.url}\n\n`);
  const html = writeHtml({ ...letter, sections }, 'Lantern Wing');
  expect(html).not.toMatch(/<b>|<it>/);
  expect(html).toContain('Op &#60;b&#62;Iron&#60;/b&#62; Hound');
  expect(html).toMatch(/href="https:[^"<> ]+\?a=1&#38;b=2"[^>]*>Open &#60;it&#62;</);
});

describe('plain text', () => {
  const text = writeText(letter, 'Lantern Wing');
  test('has lines that nobody has to scroll, except addresses, which stay whole', () => {
    const long = text.split('\n').filter((line) => line.length > 72);
    expect(long).toEqual([letter.button?.url]);
  });
  test('lines up the facts, and ends with who sent it and how to stop it', () => {
    expect(text).toContain('Seat:      Viper 1, seat 2\nAnswer by: Fri 20 Nov 1900Z');
    expect(text).toMatch(/\n-- \nLantern Wing\nBecause you asked\.\nNo more of these:\nhttps:\S+\n$/);
  });
});

test('HTML shows what people entered as text', () => {
  const evil = '</td><script>alert(1)</script><img src=x> "\'&';
  const html = writeHtml(
    { ...letter, heading: evil, preview: evil, paragraphs: [evil], facts: [[evil, evil]], because: evil },
    evil,
  );
  expect(html).not.toMatch(/<script|<img|alert\(1\)<\/script>/);
  expect(html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  expect(html).toContain('a=1&#38;b=2');
  // nothing is loaded from elsewhere, and tables are only for the layout
  expect(html).not.toMatch(/<[^>]*\ssrc=|url\(|@import|<link/);
  expect(html.match(/<table/g)).toHaveLength(html.match(/<table[^>]* role="presentation"/g)?.length ?? 0);
});

test.each([
  ['a line break', 'Op\r\nBcc: everybody@example.org', 'Op Bcc: everybody@example.org'],
  ['control characters', 'Op\u0000\u0007 Hound', 'Op Hound'],
  ['a long name', 'x'.repeat(400), `${'x'.repeat(149)}…`],
])('a subject with %s is one short line', (_what, subject, expected) =>
  expect(subjectOf({ ...letter, subject })).toBe(expected),
);

test.each([
  ['Europe/Berlin', 'Fri 20 Nov 1900Z (20:00 in Europe/Berlin)'],
  ['Asia/Tokyo', 'Fri 20 Nov 1900Z (Sat 21 Nov 04:00 in Asia/Tokyo)'],
  ['America/Los_Angeles', 'Fri 20 Nov 1900Z (11:00 in America/Los_Angeles)'],
  ['UTC', 'Fri 20 Nov 1900Z'],
])('times are in Zulu and in %s', (zone, expected) =>
  expect(zuluAndLocal(Date.UTC(2026, 10, 20, 19), zone)).toBe(expected),
);
