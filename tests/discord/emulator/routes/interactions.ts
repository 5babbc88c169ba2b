/** Answers to interactions. Their addresses hold their own secret, so they come without the bot's token. */
import {
  answerInteraction,
  editReply,
  followUp,
  interactionByToken,
  replyById,
} from '#tests/discord/emulator/interactions.ts';
import { removeMessage, type MessageBody } from '#tests/discord/emulator/messages.ts';
import { messageShape } from '#tests/discord/emulator/shapes.ts';
import type { Interaction, World } from '#tests/discord/emulator/state.ts';
import type { Answer, Call, Route } from './route.ts';

const WEBHOOK = '/webhooks/{webhook_id}/{webhook_token}';

function find(world: World, { params }: Call): Interaction {
  return interactionByToken(world, params['webhook_id'] ?? '', params['webhook_token'] ?? '');
}

function idOf({ params }: Call): string {
  return params['message_id'] ?? '@original';
}

const read = (world: World, call: Call): Answer => ({
  body: messageShape(replyById(find(world, call), idOf(call)), world),
});

const edit = (world: World, call: Call): Answer => ({
  body: messageShape(editReply(world, find(world, call), idOf(call), call.body as MessageBody), world),
});

const remove = (world: World, call: Call): Answer => {
  const interaction = find(world, call);
  const message = replyById(interaction, idOf(call));
  removeMessage(world, interaction.channel, message.id);
  if (interaction.original === message) interaction.original = null;
  return {};
};

export const interactionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/interactions/{interaction_id}/{interaction_token}/callback',
    access: 'token',
    handle: (world, { params, query, body }) => {
      const { interaction_id: id = '', interaction_token: token = '' } = params;
      const interaction = answerInteraction(world, id, token, body as Parameters<typeof answerInteraction>[3]);
      if (query.get('with_response') !== 'true') return {};
      const { callbackType, original, isEphemeral } = interaction;
      const hasMessage = callbackType === 4 || callbackType === 7;
      return {
        status: 200,
        body: {
          interaction: {
            id,
            type: interaction.type,
            response_message_loading: callbackType === 5,
            response_message_ephemeral: isEphemeral,
            ...(original === null ? {} : { response_message_id: original.id }),
          },
          ...(hasMessage && original !== null
            ? { resource: { type: callbackType, message: messageShape(original, world) } }
            : {}),
        },
      };
    },
  },
  {
    method: 'POST',
    path: WEBHOOK,
    access: 'token',
    handle: (world, call) => ({
      body: messageShape(followUp(world, find(world, call), call.body as MessageBody), world),
    }),
  },
  ...[`${WEBHOOK}/messages/@original`, `${WEBHOOK}/messages/{message_id}`].flatMap((path): Route[] => [
    { method: 'GET', path, access: 'token', handle: read },
    { method: 'PATCH', path, access: 'token', handle: edit },
    { method: 'DELETE', path, access: 'token', handle: remove },
  ]),
];
