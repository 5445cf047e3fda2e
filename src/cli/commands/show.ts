// Prints a page, a message and what is kept beside a message: `show`.
import { join } from "@std/path";
import { besideJson, factJson } from "../../operations/fact_json.ts";
import { showBeside, showIndex, showMessage } from "../../operations/showing.ts";
import type { Evidence, FactCheck, OwnFact, Rejection, TurnDraft } from "../../core/fact.ts";
import { figuresOf } from "../../core/evidence.ts";
import type { CommandAction, Invocation, Reply } from "../command.ts";
import { directoryOf } from "../directory.ts";
import { ConfigurationError } from "../../core/error.ts";
import { toggle } from "../flag.ts";
import { requirePermissions } from "../permissions.ts";
import { claimCounts } from "../progress_lines.ts";
import { readWhole } from "../read_value.ts";

const PRIVATE = toggle("--private", "also what its speaker wrote for itself");
const REJECTED = toggle("--rejected", "also the attempts that were turned down, and why");
const FACTS = toggle(
  "--facts",
  "also its fact check, what it cites and quotes, and facts of own kinds",
);
const BESIDE = [PRIVATE, REJECTED, FACTS] as const;

/** `show <dir> [seq]`. */
export const SHOW: CommandAction = {
  flags: BESIDE,
  async run(invocation, session) {
    const dir = directoryOf(invocation, session);
    const [, number] = invocation.args;
    if (number === undefined) refuseBeside(invocation);
    const seq = number === undefined ? undefined : readWhole(number, "[seq]");
    requirePermissions(session.io, { reads: [dir] });
    if (seq !== undefined) return await messageReply(dir, seq, invocation);
    const path = join(dir, "index.md");
    const text = await showIndex(dir);
    return { code: 0, json: { dir, path, text }, text: ended(text) };
  },
};

function refuseBeside({ values }: Invocation): void {
  for (const { name } of BESIDE.filter((flag) => values.get(flag) === true)) {
    throw new ConfigurationError(`Cannot use ${name}: it is of one message`, {
      field: name,
      hint: "Give the message's number too: show DIR N.",
    });
  }
}

async function messageReply(dir: string, seq: number, invocation: Invocation): Promise<Reply> {
  const { path, text, message } = await showMessage(dir, seq);
  const beside = await besideOf(dir, seq, invocation);
  return {
    code: 0,
    json: {
      dir,
      path: join(dir, path),
      ...factJson(message),
      ...beside.json,
    },
    text: [ended(text), ...beside.parts].join("\n"),
  };
}

interface Beside {
  readonly json: Readonly<Record<string, unknown>>;
  readonly parts: readonly string[];
}

/** The attachments of a message, as far as they were asked for. */
async function besideOf(dir: string, seq: number, { values }: Invocation): Promise<Beside> {
  const wanted = (flag: (typeof BESIDE)[number]) => values.get(flag) === true;
  if (!BESIDE.some(wanted)) return { json: {}, parts: [] };
  const beside = await showBeside(dir, seq);
  const json = besideJson(beside);
  const found = [
    ...wanted(PRIVATE) ? [{ json: json.private, parts: privatePart(beside.draft) }] : [],
    ...wanted(REJECTED) ? [{ json: json.rejected, parts: rejectedPart(beside.rejected) }] : [],
    ...wanted(FACTS)
      ? [{
        json: json.facts,
        parts: [
          ...factsPart(beside.factCheck),
          ...evidencePart(beside.evidence),
          ...ownParts(beside.own),
        ],
      }]
      : [],
  ];
  return {
    json: Object.assign({}, ...found.map(({ json }) => json)),
    parts: found.flatMap(({ parts }) => parts),
  };
}

function privatePart(draft: TurnDraft | undefined): readonly string[] {
  const fields = Object.entries(draft?.fields ?? {});
  return fields.length === 0
    ? ["## Private\n\nNothing was written in private.\n"]
    : fields.map(([name, text]) => `## Private: ${name}\n\n${ended(text)}`);
}

function rejectedPart(rejected: readonly Rejection[]): readonly string[] {
  return rejected.length === 0
    ? ["## Turned down\n\nNo attempt was turned down.\n"]
    : rejected.map(({ attempt, guard, reason, body }) =>
      `## Turned down: attempt ${attempt}, by ${guard}\n\n${reason}\n\n${ended(quoted(body))}`
    );
}

function factsPart(check: FactCheck | undefined): readonly string[] {
  if (check === undefined) return ["## Fact check\n\nIt was not fact-checked.\n"];
  const { status, reason, claims } = check;
  const lines = claims.map(({ text, verdict, confidence, sources }) =>
    [
      `- ${verdict} (${confidence}): ${text}`,
      ...sources.map(({ title, url }) => `  - ${title}${url === "" ? "" : ` <${url}>`}`),
    ].join("\n")
  );
  const head = status === "unchecked"
    ? `Not checked: ${reason ?? ""}`
    : claimCounts(claims.map(({ verdict }) => verdict));
  return [`## Fact check\n\n${[head, ...lines].join("\n")}\n`];
}

/** Facts of a program's own kinds: their values, and their text for readers. */
function ownParts(own: readonly OwnFact[]): readonly string[] {
  return own.map(({ kind, key, value, body }) => {
    const text = body === "" ? "" : `\n${ended(quoted(body))}`;
    return `## ${kind}: ${key}\n\n${JSON.stringify(value)}\n${text}`;
  });
}

/** The marks stand in the message itself: they are counted here. */
function evidencePart(evidence: Evidence | undefined): readonly string[] {
  if (evidence === undefined) return [];
  const { verified, notFound } = figuresOf(evidence);
  return [
    `## Evidence\n\nQuotations and citations: ${verified} verified, ${notFound} not found.\n`,
  ];
}

function quoted(text: string): string {
  return text.split("\n").map((line) => `> ${line}`).join("\n");
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
