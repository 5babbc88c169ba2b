/** Documentation of every procedure for the OpenAPI document. A procedure without an entry does not compile. */
import type { AppRouter } from '#server/routers/app.ts';
import type { RefusalCode } from '#shared/refusals.ts';
import { AIRCRAFT_DOCS } from './aircraft.ts';
import { AUTH_DOCS } from './auth.ts';
import { AVAILABILITY_DOCS } from './availability.ts';
import { BOARD_DOCS } from './board.ts';
import { COMMUNITY_DOCS } from './community.ts';
import { DISCORD_DOCS } from './discord.ts';
import { MAIL_DOCS } from './mail.ts';
import { MISSION_TEMPLATE_DOCS } from './mission-templates.ts';
import { MISSION_DOCS } from './missions.ts';
import { PILOT_MISSION_DOCS, VOCABULARY_DOCS } from './pilot-missions.ts';
import { ORDER_DOCS } from './orders.ts';
import { PROFILE_DOCS } from './profile.ts';
import { SECOND_FACTOR_DOCS } from './second-factor.ts';
import { SERIES_DOCS } from './series.ts';
import { TOKEN_DOCS } from './tokens.ts';
import { USER_DOCS } from './users.ts';
import { WEBHOOK_DOCS } from './webhooks.ts';
import type { Tag } from './tags.ts';

/** Dotted names of the procedures of a router's record. */
type NamesIn<Procedures> = {
  [Key in keyof Procedures & string]: Procedures[Key] extends { _def: { procedure: true } }
    ? Key
    : `${Key}.${NamesIn<Procedures[Key]>}`;
}[keyof Procedures & string];
export type ProcedureName = NamesIn<AppRouter['_def']['record']>;

export interface OperationDocs {
  /** operationId, which generated clients use as the name of a function */
  id: string;
  tag: Tag;
  /** imperative, without a full stop */
  summary: string;
  /** side effects, order, limits: what the summary and the schemas do not say */
  description?: string;
  /** description of the successful answer, for lists and other answers whose schema has no name */
  answer?: string;
  /** codes beyond those that follow from guard, method and body (`server/rest/openapi-answers.ts`) */
  refusals?: readonly RefusalCode[];
  /** true when the answer sets or ends the session cookie */
  setsCookie?: true;
  /** where a POST or PUT reads its input; the body by default */
  inputIn?: 'query';
}

const OPERATION_DOCS: Record<ProcedureName, OperationDocs> = {
  ...AUTH_DOCS,
  ...SECOND_FACTOR_DOCS,
  ...PROFILE_DOCS,
  ...TOKEN_DOCS,
  ...AVAILABILITY_DOCS,
  ...ORDER_DOCS,
  ...BOARD_DOCS,
  ...MISSION_DOCS,
  ...MISSION_TEMPLATE_DOCS,
  ...SERIES_DOCS,
  ...PILOT_MISSION_DOCS,
  ...VOCABULARY_DOCS,
  ...USER_DOCS,
  ...DISCORD_DOCS,
  ...AIRCRAFT_DOCS,
  ...WEBHOOK_DOCS,
  ...COMMUNITY_DOCS,
  ...MAIL_DOCS,
};

/** The documentation of a procedure. @throws Error for a procedure that has none */
export function docsOf(procedure: string): OperationDocs {
  const found = Object.entries(OPERATION_DOCS).find(([name]) => name === procedure);
  if (!found) throw new Error(`${procedure} has no documentation in server/rest/operation-docs.`);
  return found[1];
}
