/** The layout of an email: one letter, written as HTML for mail programs and as plain text. */

/** Entries below one another, each with a link of its own. */
export interface Section {
  heading: string;
  entries: readonly { title: string; lines: readonly string[]; link: { label: string; url: string } }[];
}

/** An email in words, before it is laid out. */
export interface Letter {
  subject: string;
  /** the line that inboxes show beside the subject */
  preview: string;
  heading: string;
  paragraphs: readonly string[];
  /** label and value, as a table */
  facts?: readonly (readonly [label: string, value: string])[];
  /** below the facts */
  sections?: readonly Section[];
  button?: { label: string; url: string };
  /** below the button */
  remarks?: readonly string[];
  /** why the reader gets this */
  because: string;
  /** the link to get no more of these; none for email about the account itself */
  unsubscribe?: { label: string; url: string };
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

/** Words of people may hold line breaks and control characters; a subject is one line. */
const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const SUBJECT_LENGTH = 150;

/** The subject as a header. */
export function subjectOf({ subject }: Letter): string {
  const line = oneLine(subject);
  return line.length <= SUBJECT_LENGTH ? line : `${line.slice(0, SUBJECT_LENGTH - 1)}…`;
}

/** Line length of the plain text: what mail programs show without a scroll bar, and quote without breaking. */
const COLUMNS = 72;

function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

const writeTextSection = ({ heading, entries }: Section): string[] => [
  wrap(heading.toUpperCase()),
  ...entries.map(({ title, lines, link }) => [...[title, ...lines].map(wrap), link.url].join('\n')),
];

/** @param sender name of the community, or Marshal */
export function writeText(letter: Letter, sender: string): string {
  const { heading, paragraphs, facts = [], sections = [], button, remarks = [], because, unsubscribe } = letter;
  const width = Math.max(0, ...facts.map(([label]) => label.length));
  const blocks = [
    wrap(heading),
    ...paragraphs.map(wrap),
    facts.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${oneLine(value)}`).join('\n'),
    ...sections.flatMap(writeTextSection),
    // a link on its own line stays whole
    button ? `${button.label}:\n${button.url}` : '',
    ...remarks.map(wrap),
    `-- \n${[sender, wrap(because), ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : [])].join('\n')}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

// Inline styles, because many mail programs remove others; the classes are for the dark scheme and narrow screens.
const FONT = "font-family:'Segoe UI',Helvetica,Arial,sans-serif;";
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.back{background:#0c1519!important}.card{background:#131d22!important;border-color:#323e43!important}
.ink{color:#dee4e7!important}.dim{color:#a4aeb3!important}.seam{border-color:#323e43!important}
.go{background:#f176e3!important;border-color:#f176e3!important}.go a{color:#060d11!important}.link{color:#f176e3!important}}
@media (max-width:480px){.card{padding:20px 16px!important}.go,.go a{display:block!important;text-align:center!important}}`;

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0 0 16px;${FONT}font-size:16px;line-height:24px;color:#23221d">${escapeHtml(text)}</p>`;
const small = (inner: string) =>
  `<p class="dim" style="margin:0 0 8px;${FONT}font-size:13px;line-height:20px;color:#5e5c55">${inner}</p>`;

function writeFacts(facts: NonNullable<Letter['facts']>): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ([label, value]) => `<tr>
<td class="dim seam" valign="top" style="padding:6px 16px 6px 0;border-bottom:1px solid #dfdcd2;${FONT}font-size:14px;line-height:20px;color:#5e5c55;white-space:nowrap">${escapeHtml(label)}</td>
<td class="ink seam" valign="top" style="padding:6px 0;border-bottom:1px solid #dfdcd2;${FONT}font-size:14px;line-height:20px;color:#23221d">${escapeHtml(oneLine(value))}</td>
</tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 20px">
${rows.join('\n')}
</table>`;
}

const link = (url: string, words: string) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#9d2192;word-break:break-all">${escapeHtml(words)}</a>`;

function writeSection({ heading, entries }: Section): string {
  const rows = entries.map(
    (entry) => `<tr>
<td class="ink seam" valign="top" style="padding:10px 0;border-bottom:1px solid #dfdcd2;${FONT}font-size:14px;line-height:20px;color:#23221d"><strong>${escapeHtml(oneLine(entry.title))}</strong><br>
${entry.lines.map((line) => `${escapeHtml(oneLine(line))}<br>`).join('\n')}
${link(entry.link.url, entry.link.label)}</td>
</tr>`,
  );
  return `<h2 class="ink" style="margin:0 0 4px;${FONT}font-size:16px;line-height:24px;font-weight:600;color:#23221d">${escapeHtml(heading)}</h2>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="margin:0 0 24px">
${rows.join('\n')}
</table>`;
}

function writeButton({ label, url }: NonNullable<Letter['button']>): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr>
<td class="go" bgcolor="#9d2192" style="background:#9d2192;border:1px solid #9d2192;border-radius:3px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;${FONT}font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td>
</tr></table>`;
}

/** @param sender name of the community, or Marshal */
export function writeHtml(letter: Letter, sender: string): string {
  const {
    heading,
    preview,
    paragraphs,
    facts = [],
    sections = [],
    button,
    remarks = [],
    because,
    unsubscribe,
  } = letter;
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;${FONT}font-size:22px;line-height:28px;font-weight:600;color:#23221d">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map(paragraph),
    writeFacts(facts),
    ...sections.map(writeSection),
    ...(button
      ? [writeButton(button), small(`If the button does not work, open this address: ${link(button.url, button.url)}`)]
      : []),
    ...remarks.map(paragraph),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subjectOf(letter))}</title>
<style>${STYLE}</style>
</head>
<body class="back" style="margin:0;padding:0;background:#f5f3ed">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table class="back" role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="background:#f5f3ed"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="max-width:560px">
<tr><td class="dim" style="padding:0 0 12px;${FONT}font-size:14px;line-height:20px;font-weight:600;color:#5e5c55">${escapeHtml(sender)}</td></tr>
<tr><td class="card" style="padding:28px 32px;background:#ffffff;border:1px solid #dfdcd2;border-radius:6px">
${body.filter((part) => part !== '').join('\n')}
</td></tr>
<tr><td style="padding:16px 4px 0">${small(escapeHtml(because))}${unsubscribe ? small(link(unsubscribe.url, unsubscribe.label)) : ''}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}
