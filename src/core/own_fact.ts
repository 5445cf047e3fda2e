// Kinds of facts that programs add: made, checked and found by their definition.
import { z } from "zod";
import { checkFields, schema as anySchema } from "./check_fields.ts";
import { isoTime, systemClock } from "./clock.ts";
import type { Fact, OwnFact } from "./fact.ts";
import type { Schema } from "./schema.ts";

/** Parts of a fact of a program's own kind. */
export interface OwnFactParts<T> extends Partial<Omit<OwnFact, "type" | "kind" | "value">> {
  /** Unique among the facts of the kind: a fact with a key that is on record is not recorded again. */
  readonly key: string;
  /** JSON that fits the kind's schema. */
  readonly value: T;
}

/** A kind of fact that a program adds to records. */
export interface FactKind<T> {
  /** The kind's name. */
  readonly kind: string;
  /** A fact of the kind, for `ObserverTools.record`. Fails where the value does not fit the schema. */
  make(parts: OwnFactParts<T>): OwnFact & { readonly value: T };
  /** The facts of the kind among others; a value that does not fit the schema is left out. */
  in(facts: readonly Fact[]): readonly (OwnFact & { readonly value: T })[];
  /** Problem of a value, such as `.words: expected number`; undefined for a value that fits the schema. */
  problem(value: unknown): string | undefined;
}

const KIND = z.strictObject({ kind: z.string().min(1), value: anySchema });

/** Defines a kind of fact; records that have such facts can be read, verified, resumed and forked without the definition. */
export function defineFact<T>(
  definition: {
    /** Such as `word_count`. */
    readonly kind: string;
    /** The shape of the facts' values. */
    readonly value: Schema<T>;
  },
): FactKind<T> {
  const { kind, value: schema } = checkFields(definition, KIND, "kind of fact");
  const problem = (value: unknown): string | undefined => {
    const read = schema.safeParse(value);
    if (read.success) return undefined;
    const [issue] = read.error.issues;
    const path = (issue?.path ?? []).map((key) => `.${String(key)}`).join("");
    return `${path}: ${issue?.message ?? "it does not fit the schema"}`;
  };
  return {
    kind,
    problem,
    make: ({ value, message = 0, body = "", createdAt = isoTime(systemClock), ...rest }) => {
      const read = schema.safeParse(value);
      if (!read.success) {
        throw new TypeError(`Cannot make a fact of kind "${kind}": value${problem(value)}`);
      }
      return { type: "own", kind, message, value: read.data, body, createdAt, ...rest };
    },
    in: (facts) =>
      facts.flatMap((fact) => {
        if (fact.type !== "own" || fact.kind !== kind) return [];
        const read = schema.safeParse(fact.value);
        return read.success ? [{ ...fact, value: read.data }] : [];
      }),
  };
}
