import { Migration } from '@mikro-orm/migrations';

export class Migration20261127081800_outbox_states extends Migration {
  override name = 'Migration20261127081800_outbox_states';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "outbox_message" add "posting" smallint not null default 0, add "removed_at" timestamptz null, add "thread" jsonb null;`,
    );

    // "shown" also said that a card, an event or a thread had been deleted
    this.addSql(
      `update "outbox_message" set "removed_at" = "updated_at", "shown" = null where ("kind" = 'card' and "shown" = 'deleted') or ("kind" in ('event', 'thread') and "shown" = 'gone');`,
    );
    // and held the state of a thread
    this.addSql(
      `update "outbox_message" set "thread" = "shown"::jsonb || '{"strangers": []}', "shown" = null where "kind" = 'thread' and "message_id" is not null and "shown" is not null;`,
    );
    // and the message that the next one replaces, or anything that was not there before, for another nonce
    this.addSql(
      `update "outbox_message" set "posting" = 1, "shown" = null where "message_id" is null and "shown" is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `update "outbox_message" set "shown" = case when "kind" = 'card' then 'deleted' else 'gone' end where "removed_at" is not null;`,
    );
    this.addSql(
      `update "outbox_message" set "shown" = ("thread" - 'strangers')::text where "kind" = 'thread' and "thread" is not null;`,
    );
    this.addSql(
      `update "outbox_message" set "shown" = "posting"::text where "message_id" is null and "shown" is null and "posting" > 0;`,
    );
    this.addSql(`alter table "outbox_message" drop column "posting", drop column "removed_at", drop column "thread";`);
  }
}
