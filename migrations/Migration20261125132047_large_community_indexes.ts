import { Migration } from '@mikro-orm/migrations';

export class Migration20261125132047_large_community_indexes extends Migration {
  override name = 'Migration20261125132047_large_community_indexes';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "outbox_message_waiting_idx" on "outbox_message" ("created_at", "id") where state in ('queued', 'sending');`,
    );

    this.addSql(
      `create index "app_user_deletion_due_idx" on "app_user" ("deletion_due_at") where deletion_due_at is not null and erased_at is null;`,
    );
    this.addSql(`create index "app_user_no_pilot_idx" on "app_user" ("id") where not ('user' = any (roles));`);

    this.addSql(`create index "flight_launch_at_idx" on "flight" ("launch_at");`);

    this.addSql(`create index "mail_message_subject_idx" on "mail_message" ("subject_id");`);

    this.addSql(
      `create index "frag_order_pending_idx" on "frag_order" ("expires_at") where status = 'issued' and rsvp = 'pending';`,
    );

    this.addSql(`create index "seat_ends_at_idx" on "seat" ("ends_at", "starts_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "app_user_deletion_due_idx";`);
    this.addSql(`drop index "app_user_no_pilot_idx";`);

    this.addSql(`drop index "flight_launch_at_idx";`);

    this.addSql(`drop index "frag_order_pending_idx";`);

    this.addSql(`drop index "mail_message_subject_idx";`);

    this.addSql(`drop index "outbox_message_waiting_idx";`);

    this.addSql(`drop index "seat_ends_at_idx";`);
  }
}
