/** Schema of a value: checks the value and describes its shape; every schema of zod 4 is one. */
export interface Schema<T = unknown> {
  /** Checks a value and gives it as parsed; with `jitless`, no code is made for the checks of few values. */
  safeParse(value: unknown, options?: { readonly jitless: true }): Parsed<T>;
  /** The shape as JSON Schema; what that cannot say is left open. */
  toJSONSchema(options: { readonly io: "input"; readonly unrepresentable: "any" }): object;
}

/** Result of checking a value. */
export type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

/** One thing that does not fit. */
export interface SchemaIssue {
  /** The keys that lead to it. */
  readonly path: readonly PropertyKey[];
  /** Problem of the value. */
  readonly message: string;
}

/** Schemas by key; a schema that takes undefined is of a key that may be absent. */
export type SchemaShape = Readonly<Record<string, Schema>>;

/** The values that fit a {@linkcode SchemaShape}, by key. */
export type ValuesOf<S extends SchemaShape> = {
  readonly [K in keyof S]: S[K] extends Schema<infer T> ? T : never;
};
