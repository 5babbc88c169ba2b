/** A pilot who was seen in a mission, as rows. */
import { sql } from '#server/schema/query.ts';

/** A name in the game, a time aboard in the mission of one of the pilot's orders, and what it proposes. */
export const seenRows = (pilotId: string) => [
  sql<
    Record<string, unknown>
  >`insert into game_identity (id, user_id, name, name_key, proved_by, created_by_id, created_at)
      values (gen_random_uuid(), ${pilotId}, 'xX_rvn_Xx', 'xx_rvn_xx', 'admin', null, now())`,
  sql<
    Record<string, unknown>
  >`insert into presence (id, mission_id, pilot_id, source, name, unit, aircraft, side, from_at, to_at, created_at)
      select gen_random_uuid(), mission_id, pilot_id, 'tacview', 'xX_rvn_Xx', 'Viper 1', 'F-16C_50', 0, now() - interval '1 hour', now(), now()
      from frag_order where pilot_id = ${pilotId} limit 1`,
  sql<
    Record<string, unknown>
  >`insert into attendance_proposal (order_id, mission_id, pilot_id, verdict, state, evidence, created_at)
      select id, mission_id, pilot_id, 'flew', 'open',
             jsonb_build_object('minutes', 60, 'names', jsonb_build_array('xX_rvn_Xx'), 'aircraft', jsonb_build_array('F-16C_50')), now()
      from frag_order where pilot_id = ${pilotId} limit 1`,
];
