/** A Marshal with jobs and a real SMTP server beside it. */
import { expect, vi } from 'vitest';
import { sendDelivery } from '#server/delivery/sender.ts';
import type { App } from '#server/http/context.ts';
import { createMailChannel } from '#server/delivery/mail/mail-channel.ts';
import { query, sql } from '#server/schema/query.ts';
import { startMailServer, type MailServer, type TakenMail } from './mail-server.ts';
import { startService, type Service, type ServiceOptions } from './service.ts';

export interface MailService {
  service: Service;
  server: MailServer;
  /** The newest email to an address, once there are this many. */
  mailTo: (address: string, count?: number) => Promise<TakenMail>;
  /** Wait until nothing waits to be sent. */
  settle: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startMailService({ env, ...options }: ServiceOptions = {}): Promise<MailService> {
  const server = await startMailServer();
  const service = await startService({
    withJobs: true,
    ...options,
    env: { SMTP_URL: server.url, MAIL_FROM: 'Marshal <marshal@example.org>', ...env },
  });
  const patience = { timeout: 20_000, interval: 25 };
  return {
    service,
    server,
    mailTo: (address, count = 1) =>
      vi.waitFor(() => {
        const mails = server.to(address);
        expect(mails.map(({ parsed }) => parsed.subject)).toHaveLength(count);
        return mails[count - 1] as TakenMail;
      }, patience),
    settle: () =>
      vi.waitFor(async () => {
        const waiting = await query(
          service.app.orm.em.fork(),
          sql`select kind from delivery where state in ('queued', 'sending')`,
        );
        expect(waiting).toEqual([]);
      }, patience),
    async stop() {
      await service.stop();
      await server.stop();
    },
  };
}

/** Make one attempt to send an email, as its job does. */
export async function sendMail(app: App, id: string): Promise<void> {
  if (app.mailer === null) throw new Error('This Marshal sends no email');
  await sendDelivery(app, createMailChannel({ ...app, mailer: app.mailer }), id);
}

/** The first address in an email's text that contains these words. */
export const linkIn = ({ parsed }: TakenMail, words: string): string =>
  parsed.text?.match(/https?:\/\/\S+/g)?.find((url) => url.includes(words)) ?? '';
