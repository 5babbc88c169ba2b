/** What `mikro-orm` on the command line reads (MIKRO_ORM_CLI_CONFIG); only npm scripts use it. */
import { ormOptions } from './orm.ts';

export default ormOptions(process.env.DATABASE_URL ?? 'postgresql://localhost/marshal', {
  timeouts: false,
});
