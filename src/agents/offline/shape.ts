import { z } from "zod";
import type { ReplySchema } from "../../core/agent.ts";

/** A part of a JSON schema. */
export interface Shape {
  readonly [key: string]: unknown;
}

const ShapeType = z.record(z.string(), z.unknown());

/** A value read as a part of a JSON schema; undefined where it is none. */
export function shapeAt(value: unknown): Shape | undefined {
  const read = ShapeType.safeParse(value);
  return read.success ? read.data : undefined;
}

/** What a reply is to look like, as JSON schema; undefined where that cannot be told. */
export function rootShape(schema: ReplySchema): Shape | undefined {
  try {
    return shapeAt(schema.type.toJSONSchema({ unrepresentable: "any", io: "input" }));
  } catch {
    return undefined;
  }
}

/** What a `$ref` of a schema refers to. */
export function resolveShape(ref: string, root: Shape): Shape {
  let at: unknown = root;
  for (const step of ref.replace(/^#\/?/u, "").split("/").filter((each) => each !== "")) {
    at = shapeAt(at)?.[step];
  }
  return shapeAt(at) ?? {};
}

/** The shape of a field, named by the keys that lead to it; lists are stepped into. */
export function shapeOf(root: Shape, path: readonly string[]): Shape | undefined {
  let at: Shape | undefined = whole(root, root);
  for (const name of path) {
    at = whole(shapeAt(at?.properties)?.[name], root);
    if (at?.items !== undefined) at = whole(at.items, root);
  }
  return at;
}

/** The texts a field may have; empty where it is free. */
export function choicesOf(root: Shape, path: readonly string[]): readonly string[] {
  const shape = shapeOf(root, path);
  if (typeof shape?.const === "string") return [shape.const];
  return Array.isArray(shape?.enum)
    ? shape.enum.filter((each): each is string => typeof each === "string")
    : [];
}

/** A value whose texts are cut to the length that their fields allow, at a word where it can be. */
export function fitted(value: unknown, root: Shape, at: unknown = root): unknown {
  const shape = whole(at, root);
  if (typeof value === "string") {
    return typeof shape?.maxLength === "number" ? shortened(value, shape.maxLength) : value;
  }
  if (Array.isArray(value)) {
    const most = typeof shape?.maxItems === "number" ? shape.maxItems : value.length;
    return value.slice(0, most).map((each) => fitted(each, root, shape?.items));
  }
  const fields = shapeAt(value);
  if (fields === undefined) return value;
  const known = shapeAt(shape?.properties) ?? {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [name, fitted(each, root, known[name])]),
  );
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, Math.max(0, most - 2)).replace(/[\uD800-\uDBFF]$/u, "");
  const space = start.lastIndexOf(" ");
  return most < 4 ? text.slice(0, most) : `${space > most / 2 ? start.slice(0, space) : start} …`;
}

function whole(value: unknown, root: Shape): Shape | undefined {
  const shape = shapeAt(value);
  return typeof shape?.$ref === "string" ? resolveShape(shape.$ref, root) : shape;
}
