// The form of a row in the table of settings, and the values, schemas and defaults that follow from rows.
import { z } from "zod";

/** The kinds of convenings that have settings. */
export const KINDS = ["dialogue", "debate", "consensus", "paper-debate"] as const;

/** A kind of convening that has settings. */
export type Kind = (typeof KINDS)[number];

/** A flag of the command line that sets a key. */
interface FlagRow {
  /** Name and placeholder of the value, such as `--rounds <n>`; the placeholder names the reader of the text. */
  readonly is: string;
  /** The heading in help. @default {@linkcode SHAPE}, which stands for "The debate:" and the like */
  readonly group?: string;
  /** The sentence in help. */
  readonly about: string;
  /** Other sentences, by kind. */
  readonly aboutOf?: Readonly<Partial<Record<Kind, string>>>;
  /** The value that a flag without one stands for. */
  readonly as?: string;
  /** True if a second occurrence is rejected. @default false: the last occurrence counts, or each adds to a list */
  readonly once?: true;
  /** The commands that have the flag. @default those of the setting's kinds */
  readonly kinds?: readonly Kind[];
}

/** A field of the viewer's form. */
export interface FormRow {
  /** The field's name. @default the key */
  readonly name?: string;
  readonly label: string;
  /** Beside the fields of a kind's own rules, or under "Models, limits and more". */
  readonly part: "rules" | "more";
  readonly note?: string;
  readonly placeholder?: string;
  /** Of a choice: words for no choice and for values, and the value that no choice stands for. */
  readonly choices?: {
    readonly none: string;
    readonly words?: Readonly<Record<string, string>>;
    readonly usual?: string;
  };
  /** The most characters of a text. */
  readonly most?: number;
  /** The lines of a text area. @default one line, no area */
  readonly rows?: number;
  /** The field's number times this is the setting's. @default 1 */
  readonly times?: number;
  /** The kinds with the field. @default the setting's kinds */
  readonly kinds?: readonly Kind[];
}

/** One row: everything that is known of a configuration key. */
export interface Setting {
  /** A sentence for schemas and references. */
  readonly about: string;
  /** Type and range of the value. */
  readonly schema: z.ZodType;
  /** The rows of an object's keys that have flags, fields or rules of their own. */
  readonly fields?: Settings;
  /** @default all kinds */
  readonly kinds?: readonly Kind[];
  /** The kinds that need the key. @default none */
  readonly needed?: readonly Kind[];
  /** The default value, by kind. */
  readonly standard?: Readonly<Partial<Record<Kind, unknown>>>;
  /**
   * The default of a new convening without a preset, by kind: other than `standard`, which records without the key have.
   * @default `standard`
   */
  readonly composed?: Readonly<Partial<Record<Kind, unknown>>>;
  /** The value that records without the key stand for, by kind. @default `standard` */
  readonly earlier?: Readonly<Partial<Record<Kind, unknown>>>;
  /** The default in words, where the value depends on others. */
  readonly usual?: string;
  /** True if a record keeps the value as given. */
  readonly recorded?: true;
  /** True if the value may change at a resume. */
  readonly resume?: true;
  /** Hint for clients of a server, which may not set the key. */
  readonly local?: string;
  readonly flag?: FlagRow;
  readonly form?: FormRow;
}

/** Rows by key. */
export type Settings = Readonly<Record<string, Setting>>;

/** Rows with their literal types. */
export function rows<const T extends Settings>(table: T): T {
  return table;
}

/** Rows of some kinds, with their literal types; a row may name kinds of its own. */
export function ofKinds<const K extends readonly Kind[], const T extends Settings>(
  kinds: K,
  table: T,
): {
  [P in keyof T]: T[P] extends { readonly kinds: unknown } ? T[P] : T[P] & { readonly kinds: K };
} {
  const found = Object.entries(table).map(([key, row]) => [key, { kinds, ...row }]);
  return Object.fromEntries(found) as never;
}

/** The help group of a kind's own rules. */
export const SHAPE = "shape";

/** The values that rows allow. */
type ValueOf<R> = R extends { readonly schema: z.ZodType<infer T> } ? T : never;

/** The kinds that have a row. */
type KindsOf<R> = R extends { readonly kinds: readonly (infer K)[] } ? K : Kind;

/** The keys of a kind. */
type KeysOf<T, K> = { [P in keyof T]: K extends KindsOf<T[P]> ? P : never }[keyof T];

/** The configuration of a kind, as rows have it. */
export type ConfigurationOf<T, K extends Kind> =
  & { kind: K }
  & {
    [P in KeysOf<T, K>]: K extends NeededBy<T[P]> ? ValueOf<T[P]> : ValueOf<T[P]> | undefined;
  };

type NeededBy<R> = R extends { readonly needed: readonly (infer K)[] } ? K : never;

/** An object's schema and its rows. */
export function object<const R extends Settings>(
  fields: R,
): {
  readonly schema: z.ZodObject<{ [P in keyof R]: z.ZodOptional<R[P]["schema"]> }, z.core.$strict>;
  readonly fields: R;
} {
  const shape = Object.entries(fields).map(([key, row]) => [key, optional(row)]);
  // Every key of the rows has an optional form of its schema.
  return { schema: z.strictObject(Object.fromEntries(shape)), fields } as never;
}

/** A row's schema for a key that may be left out, with the row's description. */
function optional(row: Setting): z.ZodOptional<z.ZodType> {
  return row.schema.optional().describe(descriptionOf(row));
}

/** A row's sentence with its default. */
export function descriptionOf(
  { about, usual }: Setting,
  standard?: unknown,
  composed?: unknown,
): string {
  const shown = standard === undefined ? usual : shownDefault(standard);
  if (shown === undefined) return about;
  return composed === undefined
    ? `${about} Default: ${shown}.`
    : `${about} Default: ${shownDefault(composed)}; with a preset its own, else ${shown}.`;
}

function shownDefault(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value).replaceAll(",", ", ");
}

/** The schema of a kind's configuration. */
export function schemaOf(settings: Settings, kind: string): z.ZodObject {
  const rows = Object.entries(settingsOfKind(settings, kind)).map(([key, row]) => {
    // A kind that is not built in needs what some of the built-in kinds need.
    const isNeeded = isBuiltIn(kind) ? row.needed?.includes(kind) : row.needed !== undefined;
    const schema = isNeeded === true ? row.schema : row.schema.optional();
    const { standard, composed } = row;
    const described = isBuiltIn(kind)
      ? descriptionOf(row, standard?.[kind], composed?.[kind])
      : descriptionOf(row);
    return [key, schema.describe(described)] as const;
  });
  return z.strictObject({
    kind: z.literal(kind).describe("The kind of the convening."),
    ...Object.fromEntries(rows),
  });
}

/** True for the name of a kind that has settings. */
export function isBuiltIn(kind: string): kind is Kind {
  return (KINDS as readonly string[]).includes(kind);
}

/** The rows of a kind; of a kind that is not built in, those of every kind. */
function settingsOfKind(settings: Settings, kind: string): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([, { kinds }]) =>
      kinds === undefined || isBuiltIn(kind) && kinds.includes(kind)
    ),
  );
}

/** The defaults of a kind, by key. */
export function standardsOf(settings: Settings, kind: Kind): Record<string, unknown> {
  return valuesIn(settings, kind, ({ standard }) => standard);
}

/** The defaults of new convenings of a kind that differ from {@linkcode standardsOf}, by key. */
export function composedOf(settings: Settings, kind: Kind): Record<string, unknown> {
  return valuesIn(settings, kind, ({ composed }) => composed);
}

/** The values that records of a kind without the keys stand for, of keys whose default is another now. */
export function earlierOf(settings: Settings, kind: Kind): Record<string, unknown> {
  return valuesIn(
    settings,
    kind,
    ({ standard, composed, earlier }) => earlier ?? (composed && standard),
  );
}

function valuesIn(
  settings: Settings,
  kind: Kind,
  valuesOf: (row: Setting) => Setting["standard"],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, row]) => {
      const values = valuesOf(row);
      return values !== undefined && kind in values ? [[key, values[kind]]] : [];
    }),
  );
}

/** Every row with its path, such as `limits.maxTurns`; an object's row before those of its keys. */
export function rowsOf(settings: Settings): (readonly [path: string, row: Setting])[] {
  return Object.entries(settings).flatMap(([key, row]) => [
    [key, row] as const,
    ...rowsOf(row.fields ?? {}).map(([path, inner]) =>
      [
        `${key}.${path}`,
        // An object's kinds and changes at a resume are those of its keys.
        {
          ...row.kinds === undefined ? {} : { kinds: row.kinds },
          ...row.resume === true ? { resume: true as const } : {},
          ...inner,
        },
      ] as const
    ),
  ]);
}

/** The keys that may change at a resume and that a client may set. */
type ResumeKeys<T> = {
  [P in keyof T]: T[P] extends { readonly resume: true }
    ? T[P] extends { readonly local: string } ? never : P
    : never;
}[keyof T];

/** The schemas of the keys that may change at a resume and that a client may set. */
export function resumeShape<const T extends Settings>(
  settings: T,
): { [P in ResumeKeys<T>]: z.ZodOptional<T[P]["schema"]> } {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, row]) =>
      row.resume === true && row.local === undefined ? [[key, optional(row)]] : []
    ),
  ) as never;
}
