/** Discord's schemas for each REST call. */
import * as spec from 'discord-api-spec/zod';
import { z } from 'zod';
import type { Schema } from './contract-strict.ts';

interface CallSchemas {
  /** null: the call has no body */
  request: Schema | null;
  /** null: 204 */
  answer: Schema | null;
}

const listOf = (schema: z.ZodType): Schema => z.array(schema);
const oneOf = (...schemas: z.ZodType[]): z.ZodType => z.union(schemas);
const call = (answer: Schema | null, request: Schema | null = null): CallSchemas => ({ answer, request });

const channel = oneOf(spec.GuildChannelResponseSchema, spec.PrivateChannelResponseSchema, spec.ThreadResponseSchema);
const event = spec.ExternalScheduledEventResponseSchema;
const newEvent = oneOf(
  spec.ExternalScheduledEventCreateRequestSchema,
  spec.StageScheduledEventCreateRequestSchema,
  spec.VoiceScheduledEventCreateRequestSchema,
);
const eventChange = oneOf(
  spec.ExternalScheduledEventPatchRequestPartialSchema,
  spec.StageScheduledEventPatchRequestPartialSchema,
  spec.VoiceScheduledEventPatchRequestPartialSchema,
);
const callback = oneOf(
  spec.ApplicationCommandAutocompleteCallbackRequestSchema,
  spec.CreateMessageInteractionCallbackRequestSchema,
  spec.ModalInteractionCallbackRequestSchema,
  spec.PongInteractionCallbackRequestSchema,
  spec.UpdateMessageInteractionCallbackRequestSchema,
);
const message = spec.MessageResponseSchema;
const command = spec.ApplicationCommandResponseSchema;
const replyChange = spec.IncomingWebhookUpdateRequestPartialSchema;

const MESSAGES = '/channels/{channel_id}/messages';
const THREAD_MEMBERS = '/channels/{channel_id}/thread-members';
const WEBHOOK = '/webhooks/{webhook_id}/{webhook_token}';
const EVENTS = '/guilds/{guild_id}/scheduled-events';
const EVENT = `${EVENTS}/{guild_scheduled_event_id}`;
const COMMANDS = [
  '/applications/{application_id}/commands',
  '/applications/{application_id}/guilds/{guild_id}/commands',
];

export const CALLS: Readonly<Record<string, CallSchemas>> = {
  'GET /applications/@me': call(spec.PrivateApplicationResponseSchema),
  'GET /oauth2/applications/@me': call(spec.PrivateApplicationResponseSchema),
  'GET /users/@me': call(spec.UserPIIResponseSchema),
  'GET /users/{user_id}': call(spec.UserResponseSchema),
  'DELETE /users/@me/guilds/{guild_id}': call(null),
  'GET /users/@me/guilds': call(listOf(spec.MyGuildResponseSchema)),
  'POST /users/@me/channels': call(spec.PrivateChannelResponseSchema, spec.CreatePrivateChannelRequestSchema),
  'GET /gateway': call(spec.GatewayResponseSchema),
  'GET /gateway/bot': call(spec.GatewayBotResponseSchema),
  'GET /channels/{channel_id}': call(channel),
  'PATCH /channels/{channel_id}': call(channel, spec.UpdateThreadRequestPartialSchema),
  [`POST ${MESSAGES}/{message_id}/threads`]: call(
    spec.CreatedThreadResponseSchema,
    spec.CreateTextThreadWithMessageRequestSchema,
  ),
  [`GET ${THREAD_MEMBERS}`]: call(listOf(spec.ThreadMemberResponseSchema)),
  [`PUT ${THREAD_MEMBERS}/{user_id}`]: call(null),
  [`DELETE ${THREAD_MEMBERS}/{user_id}`]: call(null),
  [`GET ${MESSAGES}`]: call(listOf(message)),
  [`POST ${MESSAGES}`]: call(message, spec.MessageCreateRequestSchema),
  [`GET ${MESSAGES}/{message_id}`]: call(message),
  [`PATCH ${MESSAGES}/{message_id}`]: call(message, spec.MessageEditRequestPartialSchema),
  [`DELETE ${MESSAGES}/{message_id}`]: call(null),
  'POST /interactions/{interaction_id}/{interaction_token}/callback': call(
    spec.InteractionCallbackResponseSchema,
    callback,
  ),
  [`POST ${WEBHOOK}`]: call(message, spec.IncomingWebhookRequestPartialSchema),
  ...Object.fromEntries(
    [`${WEBHOOK}/messages/@original`, `${WEBHOOK}/messages/{message_id}`].flatMap((path) => [
      [`GET ${path}`, call(message)],
      [`PATCH ${path}`, call(message, replyChange)],
      [`DELETE ${path}`, call(null)],
    ]),
  ),
  ...Object.fromEntries(
    COMMANDS.flatMap((path) => [
      [`GET ${path}`, call(listOf(command))],
      [`PUT ${path}`, call(listOf(command), listOf(spec.ApplicationCommandUpdateRequestSchema))],
      [`POST ${path}`, call(command, spec.ApplicationCommandCreateRequestSchema)],
      [`DELETE ${path}/{command_id}`, call(null)],
    ]),
  ),
  'GET /guilds/{guild_id}': call(spec.GuildWithCountsResponseSchema),
  'GET /guilds/{guild_id}/roles': call(listOf(spec.GuildRoleResponseSchema)),
  'GET /guilds/{guild_id}/channels': call(listOf(channel)),
  'GET /guilds/{guild_id}/members': call(listOf(spec.GuildMemberResponseSchema)),
  'GET /guilds/{guild_id}/members/{user_id}': call(spec.GuildMemberResponseSchema),
  [`GET ${EVENTS}`]: call(listOf(event)),
  [`POST ${EVENTS}`]: call(event, newEvent),
  [`GET ${EVENT}`]: call(event),
  [`PATCH ${EVENT}`]: call(event, eventChange),
  [`DELETE ${EVENT}`]: call(null),
};

/**
 * The tree of an invalid form. Discord's schema has numbers for the codes in it, where its documentation and its answers have
 * words. https://docs.discord.com/developers/reference#error-messages
 */
const formErrors: z.ZodType = z.union([
  z.object({ _errors: z.array(z.object({ code: z.string(), message: z.string() })).min(1) }),
  z.record(
    z.string(),
    z.lazy(() => formErrors),
  ),
]);
/** Of every refusal but 429. */
export const REFUSAL: Schema = z.intersection(spec.ErrorSchema, z.object({ errors: formErrors.optional() }));
export const RATE_LIMIT: Schema = spec.RatelimitedResponseSchema;
