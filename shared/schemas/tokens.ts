/** Schemas of personal access tokens. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { TOKEN_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { TOKEN_SCOPES } from '#shared/vocabulary.ts';
import { idInput, instantInput, isoInstant, rowId, safeText } from './common.ts';

export const accessToken = z
  .object({
    id: rowId.meta({ description: 'Id of the token, to revoke it. It is not the secret.' }),
    name: z
      .string()
      .meta({ description: 'What the token is for, in the words of its owner.', examples: ['Roster script'] }),
    scopes: z
      .array(z.enum(TOKEN_SCOPES))
      .meta({ description: 'What the token may do.', examples: [['read', 'pilot']] }),
    createdAt: isoInstant.meta({ description: 'When the token was made.' }),
    expiresAt: isoInstant.meta({ description: 'When the token stops working.' }),
    lastUsedAt: isoInstant
      .nullable()
      .meta({ description: 'The last use, to within a few minutes. Null for a token that was never used.' }),
  })
  .meta({ id: 'AccessToken', description: 'A personal access token, without its secret.' });
export type AccessTokenDto = z.infer<typeof accessToken>;

export const newAccessToken = accessToken
  .extend({
    token: z.string().meta({
      description:
        'The secret, to send as `Authorization: Bearer`. It is answered only once: only a hash of it is stored.',
      examples: ['mrsh_…'],
    }),
  })
  .meta({ id: 'NewAccessToken', description: 'A new personal access token, with its secret.' });
export type NewAccessTokenDto = z.infer<typeof newAccessToken>;

export const tokensInput = z.object({ id: idInput.meta({ description: 'Id of the user.' }) });
export const createTokenInput = z
  .object({
    id: idInput.meta({ description: 'Id of the user.' }),
    name: safeText(TOKEN_NAME_MAX_LENGTH, { missing: copy.tokenNameRequired })
      .refine((text) => text !== '', copy.tokenNameRequired)
      .meta({ description: 'What the token is for.', examples: ['Roster script'] }),
    scopes: z
      .array(z.enum(TOKEN_SCOPES, { error: copy.tokenScopesRequired }), { error: copy.tokenScopesRequired })
      .min(1, copy.tokenScopesRequired)
      .max(TOKEN_SCOPES.length, copy.tokenScopesRequired)
      .meta({ description: 'What the token may do. `admin` only for admins.', examples: [['read', 'pilot']] }),
    expiresAt: instantInput().meta({
      description: 'When the token stops working: in the future, at most 366 days ahead.',
      examples: ['2027-02-21T00:00:00.000Z'],
    }),
  })
  .meta({ id: 'CreateToken', description: 'A personal access token to make.' });
export const revokeTokenInput = z.object({
  id: idInput.meta({ description: 'Id of the user.' }),
  tokenId: idInput.meta({ description: 'Id of the token, as the list of tokens names it.' }),
});
