/** Schemas of personal access tokens. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { TOKEN_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { TOKEN_SCOPES } from '#shared/vocabulary.ts';
import { idInput, instantInput, isoInstant, safeText } from './common.ts';

export const accessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdAt: isoInstant,
  expiresAt: isoInstant,
  /** To within a few minutes; null for a token that was never used. */
  lastUsedAt: isoInstant.nullable(),
});
export type AccessTokenDto = z.infer<typeof accessToken>;

/** A new personal access token. Its secret is returned only once, since only a hash of it is stored. */
export const newAccessToken = accessToken.extend({ token: z.string() });
export type NewAccessTokenDto = z.infer<typeof newAccessToken>;

export const tokensInput = z.object({ id: idInput });
export const createTokenInput = z.object({
  id: idInput,
  name: safeText(TOKEN_NAME_MAX_LENGTH, { missing: copy.tokenNameRequired }).refine(
    (text) => text !== '',
    copy.tokenNameRequired,
  ),
  scopes: z
    .array(z.enum(TOKEN_SCOPES, { error: copy.tokenScopesRequired }), { error: copy.tokenScopesRequired })
    .min(1, copy.tokenScopesRequired)
    .max(TOKEN_SCOPES.length, copy.tokenScopesRequired),
  /** In the future, at most 366 days ahead. */
  expiresAt: instantInput(),
});
export const revokeTokenInput = z.object({ id: idInput, tokenId: idInput });
