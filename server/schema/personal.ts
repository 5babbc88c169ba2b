/**
 * What a column says about people. Every text and JSON column has a declaration in its entity (`columns.ts` asks for it); other
 * columns have one where the owner of an account downloads them, or erasure changes them. The download of one's own data, the
 * erasure of an account and the redaction of copies walk these declarations, so a column that is declared is exported and erased.
 */
import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { Em } from './orm.ts';

/** What is left in a row that outlives the account. */
export type Erased = string | boolean | null | readonly string[] | { readonly of: 'placeholder' };
/** The placeholder of an account without an address. */
export const PLACEHOLDER: Erased = { of: 'placeholder' };
/** Not the same object: the ORM copies what an entity says. */
export const isPlaceholder = (erased: Erased): boolean =>
  typeof erased === 'object' && erased !== null && 'of' in erased;

/**
 * How a text that may quote a pilot is redacted when the account is erased:
 *
 * - `people`: JSON. Names beside the id that they belong to, addresses and Discord ids wherever they are.
 * - `marks`: addresses and Discord ids, which are nobody else's. Names stay: a call sign may be any word.
 * - `member`: a line about one member of a Discord server, by its username.
 * - `thread`: the members of a thread, by their Discord ids.
 * - `holder`: the whole text, where the row is about the account, or about no account and the text is a name that
 *   nobody else has; addresses and Discord ids elsewhere.
 * - `kept`: not at all.
 * - `invite`: the whole text, where the account is the only one that the invite is for.
 */
export type Redaction = 'people' | 'marks' | 'member' | 'thread' | 'holder' | 'invite' | 'kept';

/** By what a row belongs to an account. */
export type OwnedBy = 'account' | 'discord id' | 'address' | 'parent';

export type Declaration = {
  /** its name in the download, a dotted path within the part of its row; without one it is not in it */
  readonly as?: string | undefined;
} & (
  | {
      /** the account's own: goes with its row, or becomes `erased` in a row that stays */
      readonly is: 'own';
      readonly erased?: Erased | undefined;
      /** nobody else can have it, so that it is replaced wherever it is quoted */
      readonly isMark?: boolean | undefined;
      /** a name of the person in the texts of Discord */
      readonly isUsername?: boolean | undefined;
      /** further names of its copies in JSON, each with the name of the id beside it */
      readonly copies?: Readonly<Record<string, string>> | undefined;
    }
  /** the row is the account's, and is deleted with it */
  | { readonly is: 'owner'; readonly by: OwnedBy; readonly isMark?: boolean | undefined }
  /** may quote a pilot; `kept` says until when it is stored */
  | {
      readonly is: 'quoting';
      readonly how: Redaction;
      readonly kept: string;
      /** the property with the id of the account that the row is about */
      readonly about?: string | undefined;
      /** what stands in the place of the whole text */
      readonly to?: string | undefined;
    }
  /** about nobody: ids, hashes, closed lists, Marshal's own values, names of things */
  | { readonly is: 'none' }
);

type Rest<Is extends Declaration['is']> = Omit<Extract<Declaration, { is: Is }>, 'is'>;

/** @param as its name in the download; null: not in it, since it is a secret or of no use to its owner */
export const own = (as: string | null, rest: Omit<Rest<'own'>, 'as'> = {}): Declaration => ({
  is: 'own',
  as: as ?? undefined,
  ...rest,
});
export const owner = (by: OwnedBy, rest: Omit<Rest<'owner'>, 'by'> = {}): Declaration => ({ is: 'owner', by, ...rest });
export const quotes = (
  how: Redaction,
  kept: string,
  rest: Omit<Rest<'quoting'>, 'how' | 'kept'> = {},
): Declaration => ({
  is: 'quoting',
  how,
  kept,
  ...rest,
});
export const none: Declaration = { is: 'none' };
/** About nobody, and part of the download. */
export const shown = (as: string): Declaration => ({ is: 'none', as });

/** What people, Discord and other services write: its length, or the names in a JSON value that hold it. */
export type FreeText = { readonly max: number } | { readonly names: readonly string[] };

interface Declared {
  personal?: Declaration;
  free?: FreeText;
}

/** Adds the declaration to a property of an entity. */
export function personal<Builder extends object>(builder: Builder, declaration: Declaration, free?: FreeText): Builder {
  // the builder hands its options on to the metadata as they are; its type is too large to be compared
  Object.assign(Object(Reflect.get(builder, '~options')), {
    personal: declaration,
    ...(free && { free }),
  } satisfies Declared);
  return builder;
}

/** A column with its declaration. */
export interface DeclaredColumn {
  meta: EntityMetadata;
  table: string;
  /** of the entity */
  property: string;
  column: string;
  isText: boolean;
  isJson: boolean;
  isNullable: boolean;
  personal: Declaration;
  free: FreeText | undefined;
}

/** @returns undefined for a column that says nothing; a reference has the key of another row, which says it there */
function readColumn(meta: EntityMetadata, property: EntityProperty): DeclaredColumn | undefined {
  const { personal: said, free } = property as Declared;
  const declaration = said ?? (property.kind === ReferenceKind.SCALAR ? undefined : none);
  const [column] = property.fieldNames ?? [];
  if (declaration === undefined || column === undefined) return undefined;
  return {
    meta,
    table: meta.tableName,
    property: property.name,
    column,
    isText: property.columnTypes[0] === 'text',
    isJson: property.columnTypes[0] === 'jsonb',
    isNullable: property.nullable === true,
    personal: declaration,
    free,
  };
}

/** Every declared column, in the order of the entities. */
export function declaredColumns(em: Em): DeclaredColumn[] {
  return [...em.getMetadata().getAll().values()].flatMap((meta) =>
    Object.values<EntityProperty>(meta.properties).flatMap((property) => readColumn(meta, property) ?? []),
  );
}

type Kind<Is extends Declaration['is']> = DeclaredColumn & { personal: Extract<Declaration, { is: Is }> };

const isKind =
  <Is extends Declaration['is']>(is: Is) =>
  (column: DeclaredColumn): column is Kind<Is> =>
    column.personal.is === is;

export type OwnColumn = Kind<'own'>;
export type OwnerColumn = Kind<'owner'>;
export type QuotingColumn = Kind<'quoting'>;
export const isOwn = isKind('own');
export const isOwner = isKind('owner');
export const isQuoting = isKind('quoting');
