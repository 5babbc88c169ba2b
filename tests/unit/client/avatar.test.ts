/** Generated avatars: initials of any call sign, and a colour that depends on nothing else. */
import { expect, test } from 'vitest';
import { AVATAR_HUES, avatarLook } from '#client/domain-ui/avatar-look.ts';

test.each([
  ['Maverick', 'MA'],
  ['Night Owl', 'NO'],
  ['night_owl-2', 'NO'],
  ['[VF-1] Goose', 'V1'],
  ['e\u0301lan', 'ÉL'],
  ['Ivy.', 'IV'],
  ['7', '7'],
  // capitals of ß are two letters
  ['ß', 'S'],
  ['𝒳y', '𝒳Y'],
  ['הגענו', 'הג'],
  ['🦅', '🦅'],
  ['---', '?'],
  ['', '?'],
])('%j has the initials %s', (name, initials) => expect(avatarLook(name).initials).toBe(initials));

test('capitals and ways to encode a name do not change its colour', () => {
  expect(avatarLook('MAVERICK').hue).toBe(avatarLook('Maverick').hue);
  expect(avatarLook('E\u0301lan').hue).toBe(avatarLook('Élan').hue);
});

test('a known name keeps its colour, and a hundred names use every one', () => {
  // FNV-1a of "a" is 0xe40c292c, from the table of its authors
  expect(avatarLook('a').hue).toBe(AVATAR_HUES[0xe4_0c_29_2c % AVATAR_HUES.length]);
  const used = new Set(Array.from({ length: 100 }, (_, at) => avatarLook(`Pilot ${at}`).hue));
  expect(used).toEqual(new Set(AVATAR_HUES));
});
