// Parses pages: front matter and body, facts, metadata and papers. Separate from writing, which needs no YAML parser.
import { parse } from "@std/yaml";
import type { z } from "zod";
import { errorMessage } from "../core/error.ts";
import type { ConveningStart, ParticipantInfo } from "../core/event.ts";
import type { EndReason, Fact } from "../core/fact.ts";
import type { Paper } from "../core/paper.ts";
import {
  defined,
  INFLATED,
  isInflated,
  isObject,
  type JsonObject,
  objectIn,
} from "../core/values.ts";
import { factSchema, fileSchema, keysOf, misfitsOf, rowOf } from "./codec.ts";
import { type Keys, type Layout, readBack } from "./fact_row.ts";
import { METADATA, type Metadata, type Progress } from "./metadata_file.ts";
import { PAPER } from "./papers.ts";
import { corrupt, RESTORE } from "./problems.ts";
import { type Outcome, STRENGTH_LEVELS } from "../core/outcome.ts";

/** A parsed page. */
export interface Page {
  readonly data: JsonObject;
  /** Text after the closing line of the front matter, unchanged. */
  readonly body: string;
}

/** Parses a page. Fails with `record_corrupt`, naming `path` and line, without a closed front matter that is a YAML map. */
export function readFrontMatter(text: string, path: string): Page {
  // Some editors on Windows begin a file with a byte order mark; they and git end its lines with CRLF.
  const opening = /^\ufeff?---\r?\n/.exec(text);
  if (opening === null) {
    throw corrupt(`${path}, line 1`, 'it does not begin with a line "---"', { path });
  }
  const after = text.slice(opening[0].length);
  const rest = opening[0].endsWith("\r\n") ? after.replaceAll("\r\n", "\n") : after;
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing === null) {
    throw corrupt(`${path}, line 1`, 'its front matter has no closing line "---"', { path });
  }
  const data = readYaml(rest.slice(0, closing.index), path);
  return { data, body: rest.slice(closing.index + closing[0].length) };
}

function readYaml(yaml: string, path: string): JsonObject {
  if (yaml.trim() === "") return {};
  let data: unknown;
  try {
    data = parse(yaml, { schema: "core" });
  } catch (cause) {
    const [line = ""] = errorMessage(cause).split("\n");
    const problem = line.replace(/ at line \d+, column \d+:?$/, "");
    const state = `it is not valid YAML: ${problem}`;
    const at = Number(/line (\d+)/.exec(String(cause))?.[1] ?? 1) + 1;
    throw corrupt(`${path}, line ${at}`, state, { path, cause });
  }
  if (!isObject(data)) {
    throw corrupt(`${path}, line 2`, "its front matter is not a map of keys to values", { path });
  }
  // An alias needs an anchor; other front matter is not counted.
  if (yaml.includes("&") && isInflated(data, yaml)) {
    throw corrupt(`${path}, line 2`, INFLATED, { path });
  }
  return data;
}

/** Parses the file of a fact of a type. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parseFact(text: string, path: string, type: Fact["type"]): Fact {
  const row = rowOf({ type });
  const { data, body } = readFrontMatter(text, path);
  const layout = row.firstKeys === undefined || "made" in data ? 2 : 1;
  const read = checked(data, factSchema(row, layout), path);
  try {
    const fact = {
      type: row.type,
      ...row.defaults,
      ...readBack(read, { keys: keysOf(row, layout) }),
      ...(typeof row.body === "string" ? { [row.body]: body } : row.body.to(body, read)),
    };
    return fact as unknown as Fact;
  } catch (cause) {
    throw corrupt(path, errorMessage(cause), { cause });
  }
}

/** Returns the front matter as its schema parses it. Fails with `record_corrupt`, naming `path`, each wrong key and its remedy. */
function checked(data: JsonObject, schema: z.ZodObject, path: string): JsonObject {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const { states, hints } = misfitsOf(data, schema);
  throw corrupt(path, states, { cause: read.error, hint: [...hints, RESTORE].join("\n") });
}

/** Type of a page that holds no fact, such as `metadata.md`. */
interface PageType {
  schema(): z.ZodObject;
  /** Parses a page and its fields. Fails with `record_corrupt`, naming `path` and the line or key. */
  read(text: string, path: string): Page & { readonly fields: unknown };
}

/** Returns the type of a page whose front matter has the given keys. */
function pageType(type: string, keys: Keys): PageType {
  const schema = () => fileSchema(type, keys);
  return {
    schema,
    read(text, path) {
      const page = readFrontMatter(text, path);
      return { ...page, fields: readBack(checked(page.data, schema(), path), { keys }) };
    },
  };
}

/** Fields of a parsed `metadata.md`. */
interface MetadataFields
  extends
    Omit<ConveningStart, "participants" | "sources" | "papers">,
    Omit<Progress, "endReason" | "endedAt">,
    Pick<Metadata, "sources" | "scores" | "unscored" | "usage" | "statistics"> {
  readonly layout?: Layout;
  readonly endReason: EndReason | null;
  readonly endedAt: string | null;
  readonly outcome: Outcome | null;
  readonly winner: string | null;
  readonly participants: readonly (ParticipantInfo & { readonly positionFrom?: number })[];
  readonly papers?: Metadata["papers"];
}

/** Page type of `metadata.md`, with the keys that are read back. */
export const METADATA_PAGE: PageType = pageType("metadata", METADATA);

/** Parses `metadata.md`. Fails with `record_corrupt`, naming the line or key. */
export function parseMetadata(text: string, path: string): Metadata {
  const page = METADATA_PAGE.read(text, path);
  const { contradictions, question, strength } = page.data;
  const read = page.fields as MetadataFields;
  const { kind, topic, judges, configuration, seed, startedAt, expectedMessages, parent } = read;
  const { status, failure, waitingFor, value, resumes, dropped, learned } = read;
  const { sources, papers = [], layout = 1, winner, scores, unscored, usage, statistics } = read;
  const participants = read.participants.map(({ position, positionFrom, ...rest }) =>
    // A position that a message states is taken from the message.
    positionFrom === undefined ? defined({ ...rest, position }) : rest
  );
  const given = { kind, topic, participants, judges, configuration, seed, startedAt, sources: [] };
  const ended = { endReason: read.endReason ?? undefined, endedAt: read.endedAt ?? undefined };
  return defined({
    start: defined({ ...given, expectedMessages, parent }),
    progress: defined({ status, ...ended, failure, waitingFor, value, resumes, dropped, learned }),
    ...{ sources, papers, layout, winner, scores, unscored, usage, statistics },
    outcome: read.outcome ?? undefined,
    strengthLevel: STRENGTH_LEVELS.find((each) => each === objectIn(strength)["level"]),
    question: typeof question === "string" ? question : undefined,
    contradictions: Array.isArray(contradictions) ? contradictions.map(String) : [],
  });
}

export const PAPER_PAGES: PageType = pageType("paper", PAPER);

/** A parsed paper file: the paper, with the hash of the body and its length in UTF-16 units from the front matter. */
interface PaperRead {
  readonly paper: Paper;
  readonly sha256: string;
  readonly characters: number;
}

/** Parses a paper's file. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperRead {
  const { fields, body } = PAPER_PAGES.read(text, path);
  const { id, title, pages, sha256, characters } = fields as
    & Omit<PaperRead, "paper">
    & Omit<Paper, "text">;
  return { paper: defined({ id, title, text: body, pages }), sha256, characters };
}
