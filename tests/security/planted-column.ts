/**
 * A process whose accounts have a column more, `planted`, by its declaration alone: prints what an account downloads, and
 * erases the accounts that are due. Arguments: the database, the account, the time.
 */
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { readOwnData } from '#server/accounts/own-data.ts';
import { freeText } from '#server/schema/columns.ts';
import { connect } from '#server/schema/orm.ts';
import { own } from '#server/schema/personal.ts';
import { UserSchema } from '#server/schema/user.ts';

const [url = '', id = '', time = ''] = process.argv.slice(2);
const column = freeText(60, own('planted')).nullable();
// as `defineEntity` does with the properties of an entity
Object.assign(UserSchema.meta.properties, { planted: column['~options'] });
const orm = await connect(url);
console.log(JSON.stringify(await readOwnData(orm.em.fork(), id)));
await eraseDueAccounts(orm.em.fork(), new Date(time));
await orm.close();
