import type { AgentRequest, ReplySchema, RequestContext } from "../../core/agent.ts";
import { mixSeed } from "../../core/random.ts";
import type { TokenCounter } from "../../core/tokens.ts";
import { composeText } from "./compose.ts";
import { featuresOf } from "./features.ts";
import { sentencesOf } from "./quotation.ts";
import { resolveShape, rootShape, type Shape, shapeAt } from "./shape.ts";

/** Any schema, filled value by value: numbers and booleans by how well what is asked about does, texts by sentences. */
export function filledShape(
  request: AgentRequest,
  schema: ReplySchema,
  count: TokenCounter,
): unknown {
  const root = rootShape(schema);
  if (root === undefined) return {};
  const { maxTokens: _, ...rest } = request;
  const text = composeText({ ...rest, maxTokens: 900 }, count);
  const body = request.context.about.map((each) => each.body).join("\n");
  const { response, logic } = featuresOf(body === "" ? text : body, "", request.context.topic);
  return valueOf(root, "", {
    context: request.context,
    sentences: sentencesOf(text),
    root,
    level: (logic + response) / 2,
    next: 0,
  });
}

interface Filling {
  readonly context: RequestContext;
  readonly sentences: readonly string[];
  readonly root: Shape;
  /** From 0 to 1: how well what is asked about does. */
  readonly level: number;
  /** The next sentence to use. */
  next: number;
}

function valueOf(shape: Shape, path: string, filling: Filling): unknown {
  const drawn = mixSeed(
    filling.context.seed,
    filling.context.key,
    filling.context.participant,
    path,
  );
  if (typeof shape.$ref === "string") {
    return valueOf(resolveShape(shape.$ref, filling.root), path, filling);
  }
  if ("const" in shape) return shape.const;
  if (Array.isArray(shape.enum)) return shape.enum[drawn % shape.enum.length];
  const options = [shape.anyOf, shape.oneOf].find(Array.isArray);
  if (options !== undefined) return valueOf(shapeAt(options[0]) ?? {}, path, filling);
  if (Array.isArray(shape.allOf)) {
    const all = shape.allOf.map((each) => shapeAt(each) ?? {});
    return valueOf(Object.assign({}, ...all), path, filling);
  }
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  switch (type) {
    case "object":
      return objectOf(shape, path, filling);
    case "array":
      return arrayOf(shape, { path, drawn, filling });
    case "number":
    case "integer":
      return numberOf(shape, drawn, { level: filling.level, whole: type === "integer" });
    case "boolean":
      return drawn % 100 < filling.level * 100;
    case "null":
      return null;
    default:
      return stringOf(shape, path, filling);
  }
}

function objectOf(shape: Shape, path: string, filling: Filling): unknown {
  const result: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(shapeAt(shape.properties) ?? {})) {
    result[name] = valueOf(shapeAt(each) ?? {}, `${path}.${name}`, filling);
  }
  return result;
}

function arrayOf(
  shape: Shape,
  { path, drawn, filling }: {
    readonly path: string;
    readonly drawn: number;
    readonly filling: Filling;
  },
): unknown {
  const least = typeof shape.minItems === "number" ? shape.minItems : 1;
  const most = typeof shape.maxItems === "number" ? shape.maxItems : Math.max(least, 3);
  const length = Math.min(
    most,
    path.split("[").length > 3 ? least : least + drawn % (Math.max(0, most - least) + 1),
  );
  if (Array.isArray(shape.prefixItems)) {
    return shape.prefixItems.map((each, i) =>
      valueOf(shapeAt(each) ?? {}, `${path}[${i}]`, filling)
    );
  }
  const items = shapeAt(shape.items) ?? {};
  return Array.from({ length }, (_, i) => valueOf(items, `${path}[${i}]`, filling));
}

function numberOf(
  shape: Shape,
  drawn: number,
  { level, whole }: { readonly level: number; readonly whole: boolean },
): number {
  const bound = (key: string, step: number) =>
    typeof shape[key] === "number" ? shape[key] + step : undefined;
  const safe = Number.MAX_SAFE_INTEGER;
  const inside = whole ? 1 : 1e-3;
  let low = bound("minimum", 0) ?? bound("exclusiveMinimum", inside) ?? 0;
  let high = bound("maximum", 0) ?? bound("exclusiveMaximum", -inside) ??
    Math.max(low + 1, whole ? 10 : 1);
  if (low <= -safe) low = Math.min(0, high);
  if (high >= safe) high = Math.max(low, low + (whole ? 10 : 1));
  const share = Math.max(0, Math.min(1, level + ((drawn % 1000) / 1000 - 0.5) * 0.4));
  const value = low + (high - low) * share;
  const unit = whole ? 1 : high - low >= 5 ? 10 : 100;
  return Math.min(high, Math.max(low, Math.round(value * unit) / unit));
}

function stringOf(shape: Shape, path: string, filling: Filling): string {
  const { sentences, context } = filling;
  if (shape.format === "uri" || shape.format === "url") return "";
  const sentence = sentences[filling.next++ % Math.max(1, sentences.length)] ?? context.topic;
  let text = /(^|\.)(label|name|title|topic|id)$/u.test(path) ? context.topic : sentence;
  const least = typeof shape.minLength === "number" ? shape.minLength : 0;
  while (text.length < least) {
    text += ` ${sentences[filling.next++ % Math.max(1, sentences.length)] ?? context.topic}`;
  }
  const most = typeof shape.maxLength === "number" ? shape.maxLength : Infinity;
  return text.length > most ? text.slice(0, most).trimEnd().padEnd(least, ".") : text;
}
