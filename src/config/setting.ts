// Structure of a row in the table of settings; values, schemas and defaults derived from rows.
import { z } from "zod";
import { defined } from "../core/values.ts";

/** Built-in kinds of convenings, which have settings in the table. */
export const KINDS = ["dialogue", "debate", "consensus", "paper-debate"] as const;

/** Built-in kind of convening. */
export type Kind = (typeof KINDS)[number];

/** Command-line flag that sets a key. */
interface FlagRow {
  /** Name and placeholder, such as `--rounds <n>`; the placeholder determines the parser of the value. */
  readonly is: string;
  /** Heading in help. @default {@linkcode SHAPE}, the heading of the kind, such as "The debate:" */
  readonly group?: string;
  /** Description in help. @default the setting's, with its default */
  readonly about?: string;
  /** Value of a flag that takes no argument. */
  readonly as?: string;
  /** True if a second occurrence is an error. @default false: the last occurrence counts, or each adds to a list */
  readonly once?: true;
  /** Kinds whose commands have the flag. @default the kinds of the setting */
  readonly kinds?: readonly Kind[];
}

/** Field of the viewer's form. */
export interface FormRow {
  readonly label: string;
  /** Section of the form: the rules of the kind, or "Models, limits and more". */
  readonly part: "rules" | "more";
  readonly note?: string;
  readonly placeholder?: string;
  /** Options of a choice: label for no choice, labels of the values, and the value that no choice stands for. */
  readonly choices?: {
    readonly none: string;
    /** Label for no choice, by kind. @default `none` */
    readonly noneOf?: Readonly<Partial<Record<Kind, string>>>;
    readonly words?: Readonly<Record<string, string>>;
    readonly usual?: string;
  };
  /** Maximum length of a text, in characters. */
  readonly most?: number;
  /** Number of lines of a text area. @default a single-line field */
  readonly rows?: number;
  /** Factor from the field's number to the setting's. @default 1 */
  readonly times?: number;
  /** Kinds whose form has the field. @default the kinds of the setting */
  readonly kinds?: readonly Kind[];
}

/** Row of the table: everything about one configuration key. */
export interface Setting {
  /** Description, one sentence, for schemas and references. */
  readonly about: string;
  readonly schema: z.ZodType;
  /** Rows of the keys of an object value. */
  readonly fields?: Settings;
  /** Kinds that have the key. @default all kinds */
  readonly kinds?: readonly Kind[];
  /** Kinds that require the key. @default none */
  readonly needed?: readonly Kind[];
  readonly defaults?: Readonly<Partial<Record<Kind, unknown>>>;
  /** Default of a new convening without a preset, by kind, if recorded convenings have another. @default `defaults` */
  readonly newDefaults?: Readonly<Partial<Record<Kind, unknown>>>;
  /** Value assumed for records without the key, by kind, if the default has changed. @default `defaults` */
  readonly earlierDefaults?: Readonly<Partial<Record<Kind, unknown>>>;
  /** Default in words, if it depends on other values. */
  readonly defaultText?: string;
  readonly recorded?: true;
  /** True if the value may change at a resume. */
  readonly resume?: true;
  /** Hint for clients of a server, which must not set the key; absent if they may. */
  readonly local?: string;
  readonly flag?: FlagRow;
  readonly form?: FormRow;
}

/** Settings by key. */
export type Settings = Readonly<Record<string, Setting>>;

/** Returns rows with literal types, restricted to some kinds; a row may specify its own kinds. */
export function ofKinds<const K extends readonly Kind[], const T extends Settings>(
  kinds: K,
  table: T,
): {
  [P in keyof T]: T[P] extends { readonly kinds: unknown } ? T[P] : T[P] & { readonly kinds: K };
} {
  const found = Object.entries(table).map(([key, row]) => [key, { kinds, ...row }]);
  return Object.fromEntries(found) as never;
}

/** Help group of a kind's own rules. */
export const SHAPE = "shape";

/** Makes the schema and the rows of an object value. */
export function object<const R extends Settings>(
  fields: R,
): {
  readonly schema: z.ZodObject<{ [P in keyof R]: z.ZodOptional<R[P]["schema"]> }, z.core.$strict>;
  readonly fields: R;
} {
  const shape = Object.entries(fields).map(([key, row]) => [
    key,
    row.schema.optional().describe(descriptionOf(row)),
  ]);
  // Matches the return type: each key of `fields` has an optional schema.
  return { schema: z.strictObject(Object.fromEntries(shape)), fields } as never;
}

/** Returns a row's description with its default. */
function descriptionOf(
  { about, defaultText }: Setting,
  value?: unknown,
  newValue?: unknown,
): string {
  const shown = value === undefined ? defaultText : shownDefault(value);
  if (shown === undefined) return about;
  return newValue === undefined
    ? `${about} Default: ${shown}.`
    : `${about} Default: ${shownDefault(newValue)}; with a preset its own, else ${shown}.`;
}

/** Returns a row's description as a phrase for help; of a new convening of a kind with the default, unless that is true or false. */
export function helpOf(row: Setting, kind: Kind | undefined): string {
  const { about, defaults, newDefaults, defaultText, schema } = row;
  const phrase = about.replace(/^Whether /, "").replace(/\.$/, "");
  const text = phrase.slice(0, 1).toLowerCase() + phrase.slice(1);
  if (kind === undefined || schema instanceof z.ZodBoolean) return text;
  const value = newDefaults === undefined
    ? defaults?.[kind] ?? defaultText
    : `${newDefaults[kind]}, or the preset's`;
  return value === undefined ? text : `${text} (default: ${shownDefault(value)})`;
}

function shownDefault(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value).replaceAll(",", ", ");
}

/** Makes the schema of a kind's configuration. */
export function schemaOf(settings: Settings, kind: string): z.ZodObject {
  // A program's own kind has the rows that all kinds have.
  const ofKind = Object.entries(settings).filter(([, { kinds }]) =>
    kinds === undefined || isBuiltIn(kind) && kinds.includes(kind)
  );
  const rows = ofKind.map(([key, row]) => {
    // A program's own kind requires every key that some built-in kind requires.
    const isNeeded = isBuiltIn(kind) ? row.needed?.includes(kind) : row.needed !== undefined;
    const schema = isNeeded === true ? row.schema : row.schema.optional();
    const { defaults, newDefaults } = row;
    const described = isBuiltIn(kind)
      ? descriptionOf(row, defaults?.[kind], newDefaults?.[kind])
      : descriptionOf(row);
    return [key, schema.describe(described)] as const;
  });
  return z.strictObject({
    kind: z.literal(kind).describe("The kind of the convening."),
    ...Object.fromEntries(rows),
  });
}

export function isBuiltIn(kind: string): kind is Kind {
  return (KINDS as readonly string[]).includes(kind);
}

export function defaultsOf(
  settings: Settings,
  kind: Kind,
  column: "defaults" | "newDefaults" | "earlierDefaults" = "defaults",
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, row]) => {
      // A record was made before new convenings had another default.
      const before = column === "earlierDefaults" && row.newDefaults ? row.defaults : undefined;
      const values = row[column] ?? before;
      return values !== undefined && kind in values ? [[key, values[kind]]] : [];
    }),
  );
}

/** Lists all rows with their path, such as `limits.maxTurns`; the row of an object comes before the rows of its keys. */
export function rowsOf(settings: Settings): (readonly [path: string, row: Setting])[] {
  return Object.entries(settings).flatMap(([key, row]) => [
    [key, row] as const,
    ...rowsOf(row.fields ?? {}).map(([path, inner]) =>
      [
        `${key}.${path}`,
        // The keys of an object inherit `kinds` and `resume`.
        { ...defined({ kinds: row.kinds, resume: row.resume }), ...inner },
      ] as const
    ),
  ]);
}

/** Keys that may change at a resume and that clients may set. */
type ResumeKeys<T> = {
  [P in keyof T]: T[P] extends { readonly resume: true }
    ? T[P] extends { readonly local: string } ? never : P
    : never;
}[keyof T];

/** Returns the schemas of the keys that may change at a resume and that clients may set; the recorded values are the defaults. */
export function resumeShape<const T extends Settings>(
  settings: T,
): { [P in ResumeKeys<T>]: z.ZodOptional<T[P]["schema"]> } {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([key, row]) =>
      row.resume === true && row.local === undefined
        ? [[key, row.schema.optional().describe(row.about)]]
        : []
    ),
  ) as never;
}
