// Requirements of attacks with programs of Debian. Plain JavaScript, because tests/run.js imports it.
import { existsSync } from 'node:fs';

export const HAPROXY = '/usr/sbin/haproxy';

/** @returns {string | null} why no HAProxy can be started here; null: it can */
export const whyNoHaproxy = () => (existsSync(HAPROXY) ? null : "Debian's haproxy is missing");
