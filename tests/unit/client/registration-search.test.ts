import { parseSearchWith } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { readRegistrationSearch } from '#client/features/discord-registration/registration-search.ts';

const parse = parseSearchWith((text) => (/^\d{16,}$/.test(text) ? text : JSON.parse(text)));

test.each(['1574043495046316000', '1574043495046316032', '99'])('the id %s of a link stays text', (id) => {
  const search = readRegistrationSearch(parse(`?discord_id=${id}&guild_id=${id}&discord_username=fresh&session=s`));
  expect(search).toEqual({ discord_id: id, guild_id: id, discord_username: 'fresh', session: 's' });
});

test('missing and non-text values count as absent', () => {
  expect(readRegistrationSearch(parse('?discord_id=%5B1%5D&guild_id=&session=%20'))).toEqual({});
});
