/** Lists of a guild's members, in chunks, as the gateway answers op 8. */
import { memberShape } from './shapes.ts';
import type { World } from './state.ts';

const CHUNK = 1000;
/** One request for all members of a guild in that time. */
const ALL_MEMBERS_EVERY_MS = 30_000;

interface MembersRequest {
  guild_id: string;
  query?: string;
  limit?: number;
  user_ids?: string | readonly string[];
  nonce?: string;
}

type Event = readonly [name: string, data: object];

interface MemberList {
  /** @param canListAll false without the members intent */
  answer: (request: MembersRequest, session: { canListAll: boolean; isLimiting: boolean }) => Event[];
}

export function createMemberList(world: World): MemberList {
  /** when all members of a guild were last asked for */
  const askedMs = new Map<string, number>();
  return {
    answer(request, { canListAll, isLimiting }) {
      const guild = world.guilds.get(request.guild_id);
      if (guild === undefined || !guild.isInstalled || guild.isOut) return [];
      const isAll = request.query === '' && request.limit === 0;
      // Discord does not answer clients that may not list all members
      if (isAll && !canListAll) return [];
      const nonce = request.nonce === undefined ? {} : { nonce: request.nonce };
      const waitMs = (askedMs.get(guild.id) ?? Number.NEGATIVE_INFINITY) + ALL_MEMBERS_EVERY_MS - Date.now();
      if (isAll && isLimiting && waitMs > 0) {
        return [['RATE_LIMITED', { opcode: 8, retry_after: waitMs / 1000, meta: { guild_id: guild.id, ...nonce } }]];
      }
      if (isAll) askedMs.set(guild.id, Date.now());
      const wanted = request.user_ids === undefined ? null : [request.user_ids].flat();
      const found = [...guild.members.values()].filter(({ person, nick }) => {
        if (wanted !== null) return wanted.includes(person.id);
        const query = (request.query ?? '').toLowerCase();
        return [person.username, nick ?? ''].some((name) => name.toLowerCase().startsWith(query));
      });
      const members = request.limit ? found.slice(0, request.limit) : found;
      const missing = wanted?.filter((id) => !guild.members.has(id)) ?? [];
      const count = Math.max(1, Math.ceil(members.length / CHUNK));
      return Array.from({ length: count }, (_, index): Event => [
        'GUILD_MEMBERS_CHUNK',
        {
          guild_id: guild.id,
          members: members.slice(index * CHUNK, (index + 1) * CHUNK).map(memberShape),
          chunk_index: index,
          chunk_count: count,
          ...(missing.length === 0 ? {} : { not_found: missing }),
          ...nonce,
        },
      ]);
    },
  };
}
