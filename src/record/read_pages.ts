// Parses pages: front matter and body, facts, metadata and papers. Separate from writing, which needs no YAML parser.
import { parse } from "@std/yaml";
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
import { fileSchema, keysOf, misfitsOf, rowOf } from "./codec.ts";
import { type Keys, type Layout, readBack } from "./fact_row.ts";
import { METADATA, type Metadata, type Progress } from "./metadata_file.ts";
import { PAPER } from "./papers.ts";
import { corrupt, RESTORE } from "./problems.ts";
import { type Outcome, STRENGTH_LEVELS } from "../core/outcome.ts";

/** A parsed page. */
interface Page {
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
  const fields = fieldsIn(data, path, { type, keys: keysOf(row, layout) });
  try {
    const fact = {
      type,
      ...row.defaults,
      ...fields,
      ...(typeof row.body === "string" ? { [row.body]: body } : row.body.to(body, data)),
    };
    return fact as unknown as Fact;
  } catch (cause) {
    throw corrupt(path, errorMessage(cause), { cause });
  }
}

/** Returns the fields of a file of a type. Fails with `record_corrupt`, naming `path`, each wrong key and its remedy. */
function fieldsIn(
  data: JsonObject,
  path: string,
  { type, keys }: { readonly type: string; readonly keys: Keys },
): Record<string, unknown> {
  const schema = fileSchema(type, keys);
  const read = schema.safeParse(data);
  if (read.success) return readBack(read.data, { keys });
  const { states, hints } = misfitsOf(data, schema);
  throw corrupt(path, states, { cause: read.error, hint: [...hints, RESTORE].join("\n") });
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

/** Parses `metadata.md`. Fails with `record_corrupt`, naming the line or key. */
export function parseMetadata(text: string, path: string): Metadata {
  const { data } = readFrontMatter(text, path);
  const { contradictions, question, strength } = data;
  const read = fieldsIn(data, path, {
    type: "metadata",
    keys: METADATA,
  }) as unknown as MetadataFields;
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

/** A parsed paper file: the paper, with the hash of the body and its length in UTF-16 units from the front matter. */
interface PaperRead {
  readonly paper: Paper;
  readonly sha256: string;
  readonly characters: number;
}

/** Parses a paper's file. Fails with `record_corrupt`, naming `path` and the line or key. */
export function parsePaper(text: string, path: string): PaperRead {
  const { data, body } = readFrontMatter(text, path);
  const fields: unknown = fieldsIn(data, path, { type: "paper", keys: PAPER });
  const { id, title, pages, sha256, characters } = fields as
    & Omit<PaperRead, "paper">
    & Omit<Paper, "text">;
  return { paper: defined({ id, title, text: body, pages }), sha256, characters };
}
