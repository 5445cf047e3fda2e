// Bodies of requests as JSON and forms; `body_limit.ts` bounds how long they are.
import type { z } from "zod";
import { ConfigurationError, ConveningError } from "../core/error.ts";
import { checkInput } from "../operations/operation.ts";

/** The most levels of a body of JSON, one in the other. */
const MAX_DEPTH = 64;
/** The most parts of a form. */
const MAX_PARTS = 20;

/** The media type of a request's body in small letters, without parameters; empty where it says none. */
export function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/**
 * The value of a request's body of JSON, unchecked. Fails with `unsupported_type` for another media type, and with
 * `config_invalid` where the body is no JSON, which says where.
 */
export async function jsonBody(request: Request): Promise<unknown> {
  const type = mediaType(request);
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw unsupported(type, "Send JSON, with the header: Content-Type: application/json.");
  }
  const bytes = await request.bytes();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw noJson("it is not in UTF-8", cause);
  }
  if (text.trim() === "") throw noJson("it is empty");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw noJson(placeOf(cause, text), cause);
  }
  if (isDeep(value)) throw noJson(`it is nested more than ${MAX_DEPTH} deep`);
  return value;
}

/** Tells whether a value is nested deeper than any body needs, and than recursive readers could bear. */
export function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) =>
      each !== null && typeof each === "object" ? Object.values(each) : []
    );
  }
  return false;
}

/**
 * The fields of a request's form. Fails with `config_invalid` where it is damaged or has more parts than any form of ours,
 * which would keep everybody waiting while they are taken apart.
 */
export async function formBody(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await request.bytes();
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = `--${quoted ?? bare ?? ""}`;
  try {
    if (countOf(bytes, boundary, MAX_PARTS + 2) <= MAX_PARTS + 1) {
      return await new Response(bytes, { headers: { "content-type": type } }).formData();
    }
  } catch (cause) {
    throw damagedForm("it is damaged", cause);
  }
  throw damagedForm(`it has more than ${MAX_PARTS} parts`);
}

/** Number of times that a text is in bytes, counted no further than `most`. */
function countOf(bytes: Uint8Array, text: string, most: number): number {
  const all = new TextDecoder("latin1").decode(bytes);
  let count = 0;
  for (let at = all.indexOf(text); at !== -1 && count < most; at = all.indexOf(text, at + 1)) {
    count++;
  }
  return count;
}

function damagedForm(state: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot read the form: ${state}`, {
    field: "body",
    hint: "Send it as multipart/form-data, as curl -F and browsers do.",
    cause,
  });
}

/** A body that fits a schema. Fails with `config_invalid`, naming the field, its value and what is allowed there. */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return checkInput(schema, body, { whole: "body", part: "field" });
}

/** A media type that is not read here. */
export function unsupported(type: string, hint: string): ConveningError {
  const named = type === "" ? "a body of no type" : `a body of type "${type.slice(0, 100)}"`;
  return new ConveningError("unsupported_type", `Cannot read ${named}`, {
    field: "Content-Type",
    hint,
  });
}

/** Line and column at which a text stops being JSON. */
function placeOf(cause: unknown, text: string): string {
  const message = cause instanceof Error ? cause.message : "";
  const [, position] = /position (\d+)/.exec(message) ?? [];
  const before = text.slice(0, position === undefined ? text.length : Number(position));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  return `it is no JSON from line ${line}, column ${column} on`;
}

function noJson(state: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`Cannot read the body: ${state}`, {
    field: "body",
    hint: "Send one object of JSON.",
    cause,
  });
}
