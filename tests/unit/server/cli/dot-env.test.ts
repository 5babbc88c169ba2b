/** The file `.env`: every line counts, or one sentence says which one does not, and never shows its value. */
import { describe, expect, test } from 'vitest';
import { readDotEnv } from '#server/cli/dot-env.js';

const KNOWN = ['PORT', 'PUBLIC_URL', 'TRUST_PROXY', 'ADMIN_PASSWORD', 'DISCORD_TOKEN'];
const read = (text: string | Buffer) => readDotEnv(Buffer.from(text), KNOWN);

describe('a file is read', () => {
  test.each([
    ['with the line ends of Windows', 'PORT=4000\r\nPUBLIC_URL=https://a.example\r\n'],
    ['with those of an old Mac', 'PORT=4000\rPUBLIC_URL=https://a.example\r'],
    ['with a byte order mark', '\uFEFFPORT=4000\nPUBLIC_URL=https://a.example'],
    [
      'with spaces, quotes, comments and export',
      ' export PORT = "4000" # ours\n# PORT=1\n\nPUBLIC_URL=\'https://a.example\'',
    ],
  ])('%s', (_what, text) => {
    expect(read(text)).toEqual({ values: { PORT: '4000', PUBLIC_URL: 'https://a.example' }, remarks: [] });
  });

  test('with quoted values that hold #, = and several lines', () => {
    const text = 'ADMIN_PASSWORD="a#b = c\nPORT: 1\n"\nPORT=4000';
    expect(read(text).values).toEqual({ ADMIN_PASSWORD: 'a#b = c\nPORT: 1\n', PORT: '4000' });
  });
});

describe('a file is refused', () => {
  test.each([
    ['in UTF-16', Buffer.from('\uFEFFPORT=4000\r\n', 'utf16le'), /^\.env is not saved as UTF-8: save it again/],
    ['in Latin-1', Buffer.from('ADMIN_PASSWORD=flügel-hush', 'latin1'), /^\.env is not saved as UTF-8/],
    ['with a colon', 'PORT=1\nADMIN_PASSWORD: hush', /^Line 2 of \.env is not a setting: write NAME=value/],
    ['with a word alone', 'hush', /^Line 1 of \.env is not a setting/],
    [
      'with a value that # would cut',
      'ADMIN_PASSWORD=long#hush',
      /^Line 1 of \.env: the value of ADMIN_PASSWORD has a #/,
    ],
    [
      'with half a quote',
      'ADMIN_PASSWORD="hush\nPORT=1',
      /^Line 1 of \.env: the value of ADMIN_PASSWORD begins with a quote/,
    ],
    ['with the quotes of a word processor', 'PORT=“4000”', /^Line 1 of \.env: the value of PORT begins with a quote/],
    ['after a value of several lines', 'ADMIN_PASSWORD="a\nb"\nhush', /^Line 3 of \.env is not a setting/],
  ])('%s', (_what, text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
    expect(() => read(text)).toThrow(/^(?!.*hush)/);
  });
});

test('a name that is no setting is told, with the one that was probably meant', () => {
  const { remarks } = read('PUBLC_URL=x\nport=4000\nDISCORD_BOT=hush\nNODE_OPTIONS=\nTZ=UTC\nCOMPOSE_PROJECT_NAME=m');
  expect(remarks).toEqual([
    '.env sets PUBLC_URL, which is no setting of Marshal (do you mean PUBLIC_URL?).',
    '.env sets port, which is no setting of Marshal (do you mean PORT?).',
    '.env sets DISCORD_BOT, which is no setting of Marshal: see .env.example.',
  ]);
});

test('a file with a secret is a setting, and one with another value is not', () => {
  const { remarks } = read('PORT_FILE=/x\nADMIN_PASSWORD_FILE=/run/secrets/admin');
  expect(remarks).toEqual(['.env sets PORT_FILE, which is no setting of Marshal: see .env.example.']);
});

test('a setting with two lines is told', () => {
  expect(read('PORT=1\nPORT=2')).toEqual({
    values: { PORT: '2' },
    remarks: ['.env sets PORT more than once: the last line counts.'],
  });
});
