/** Addresses that webhooks may be sent to: the special ranges of the IANA registries, in every notation of a URL. */
import { describe, expect, test } from 'vitest';
import { findAddressProblem, isPublicAddress } from '#server/platform/public-addresses.ts';

/** First and last addresses of ranges, from the IANA registries of special-purpose addresses. */
const SPECIAL = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
  'localhost',
  '',
  '1.2.3',
  '01.02.03.04.05',
];
const PUBLIC = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1', '192.167.1.1'];
const PUBLIC_V6 = ['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888', '2400::1'];

test.each(SPECIAL)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
test.each([...PUBLIC, ...PUBLIC_V6])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

/** Hosts that mean this machine or the own network, as URL parsers and resolvers read them. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '127.0.0.1.',
  '127.000.000.001',
  '10.1',
  '0xa.0.0.1',
  '192.168.1',
  '3232235521',
  '169.254.169.254',
  '0xA9FEA9FE',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[fe80::1]',
  '[fd00::1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[::ffff:a9fe:a9fe]',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'db',
  'db.',
  'postgres',
  'metadata.google.internal',
  'printer.local',
  'router.lan',
  'nas.home.arpa',
  'intranet',
  'wiki.corp',
];

describe('an address', () => {
  test.each(PRIVATE_HOSTS)('at https://%s is private', (host) => {
    expect(findAddressProblem(`https://${host}:8443/hook`, false)).toBe('private');
  });

  test.each([
    ['http://example.org/hook', 'notHttps'],
    ['ftp://example.org/hook', 'notHttps'],
    ['file:///etc/passwd', 'notHttps'],
    ['gopher://example.org', 'notHttps'],
    ['https://user@example.org/hook', 'credentials'],
    ['https://user:word@example.org/hook', 'credentials'],
    ['https://1.1.1.1@127.0.0.1/', 'credentials'],
    ['example.org/hook', 'invalid'],
    ['//example.org/hook', 'invalid'],
    ['https://', 'invalid'],
    ['https://127.0.0.1.1/', 'invalid'],
    ['https://[::1', 'invalid'],
  ])('%s is refused: %s', (url, problem) => expect(findAddressProblem(url, false)).toBe(problem));

  test.each(['https://example.org', 'https://hooks.example.org:8443/a?b=c', 'https://1.1.1.1/', 'https://[2400::1]/'])(
    '%s may be called',
    (url) => expect(findAddressProblem(url, false)).toBeNull(),
  );

  test('in development, private addresses may be called, and plain http on this machine only', () => {
    const problems = [
      'https://10.0.0.1/',
      'http://127.0.0.1:9/',
      'http://[::1]/',
      'http://localhost/',
      'http://10.0.0.1/',
    ];
    expect(problems.map((url) => findAddressProblem(url, true))).toEqual([null, null, null, null, 'notHttps']);
  });
});
