// Prints a page, or a message and its attachments: `show`.
import { showBeside, showIndex, showMessage } from "../../operations/reading_convenings.ts";
import type { Evidence, FactCheck, OwnFact, Rejection, TurnDraft } from "../../core/fact.ts";
import { figuresOf } from "../../core/paper.ts";
import type { CommandAction, Invocation } from "../session.ts";
import { directoryOf } from "../directory.ts";
import { readWhole, refuseGiven, toggle } from "../flag.ts";
import { late, loadModule } from "../load_module.ts";
import { requirePermissions } from "../permissions.ts";
import { claimCounts } from "../progress_lines.ts";

const PRIVATE = toggle("--private", "also what its speaker wrote for itself");
const REJECTED = toggle("--rejected", "also the rejected attempts, and why");
const FACTS = toggle(
  "--facts",
  "also its fact check, what it cites and quotes, and facts of own kinds",
);
const BESIDE = [PRIVATE, REJECTED, FACTS] as const;

/** `show <dir> [seq]`: pages as they stand; with --json, what the operations give. */
export const SHOW: CommandAction = {
  flags: BESIDE,
  async run(invocation, session) {
    const dir = await directoryOf(invocation, session);
    const [, number] = invocation.args;
    if (number === undefined) {
      const hint = "Give the message's number too: show DIR N.";
      refuseGiven(BESIDE, invocation.values, { why: "it is of one message", hint });
    }
    const seq = number === undefined ? undefined : readWhole(number, "[seq]");
    requirePermissions(session.io, { reads: [dir] });
    if (session.json) return await (await shownJson(seq)).run(invocation, session);
    const text = seq === undefined
      ? ended(await showIndex(dir))
      : await messageText(dir, seq, invocation);
    return { code: 0, json: undefined, text };
  },
};

/** The command whose JSON is printed: of a convening, or of a message. */
async function shownJson(seq: number | undefined): Promise<CommandAction> {
  const { operationCommand } = await loadModule<typeof import("../operation_command.ts")>(
    import.meta.resolve("../operation_command.ts"),
  );
  if (seq === undefined) return operationCommand((await late("../operations/show.ts")).SHOW);
  const { MESSAGE } = await late("../operations/messages.ts");
  return operationCommand(MESSAGE, { args: ["seq"], read: () => ({ seq }) });
}

/** A message's file, and its attachments as far as they were asked for. */
async function messageText(dir: string, seq: number, { values }: Invocation): Promise<string> {
  const { text } = await showMessage(dir, seq);
  const wanted = BESIDE.filter((flag) => values.get(flag) === true);
  if (wanted.length === 0) return ended(text);
  const { draft, rejected, factCheck, evidence, own } = await showBeside(dir, seq);
  return [
    ended(text),
    ...wanted.includes(PRIVATE) ? privatePart(draft) : [],
    ...wanted.includes(REJECTED) ? rejectedPart(rejected) : [],
    ...wanted.includes(FACTS)
      ? [...factsPart(factCheck), ...evidencePart(evidence), ...ownParts(own)]
      : [],
  ].join("\n");
}

function privatePart(draft: TurnDraft | undefined): readonly string[] {
  const fields = Object.entries(draft?.fields ?? {});
  return fields.length === 0
    ? ["## Private\n\nNothing was written in private.\n"]
    : fields.map(([name, text]) => `## Private: ${name}\n\n${ended(text)}`);
}

function rejectedPart(rejected: readonly Rejection[]): readonly string[] {
  return rejected.length === 0
    ? ["## Rejected\n\nNo attempt was rejected.\n"]
    : rejected.map(({ attempt, guard, reason, body }) =>
      `## Rejected: attempt ${attempt}, by ${guard}\n\n${reason}\n\n${ended(quoted(body))}`
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
