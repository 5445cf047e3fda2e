// The command `show`: prints a convening's index, or a message with attachments.
import { readAttachments, showIndex, showMessage } from "../../operations/reading_convenings.ts";
import type { Evidence, FactCheck, OwnFact, Rejection, TurnDraft } from "../../core/fact.ts";
import { figuresOf, figuresWords } from "../../core/paper.ts";
import type { Action, Invocation } from "../session.ts";
import { directoryOf } from "../directory.ts";
import { readWhole, refuseGiven, toggle } from "../flag.ts";
import { late, loadModule } from "../load_module.ts";
import { requirePermissions } from "../permissions.ts";
import { checkSentence } from "../../record/words.ts";
import { omittedBy } from "../../core/claims.ts";

const PRIVATE = toggle("--private", "also what the speaker wrote in private");
const REJECTED = toggle("--rejected", "also the rejected attempts, and why");
const FACTS = toggle(
  "--facts",
  "also its fact check, what it cites and quotes, and facts of custom kinds",
);
const ATTACHMENTS = [PRIVATE, REJECTED, FACTS] as const;

/** `show <dir> [seq]`: prints files of the record; with `--json` the output of the operations `show` and `message`. */
export const SHOW: Action = {
  flags: ATTACHMENTS,
  async run(invocation, session) {
    const dir = await directoryOf(invocation, session);
    const [, number] = invocation.args;
    if (number === undefined) {
      const hint = "Give the message's number too: show DIR N.";
      refuseGiven(ATTACHMENTS, invocation.values, { why: "it is of one message", hint });
    }
    const seq = number === undefined ? undefined : readWhole(number, "[seq]");
    requirePermissions(session.io, { reads: [dir] });
    if (session.json) return await (await jsonCommand(seq)).run(invocation, session);
    const text = seq === undefined
      ? withLineBreak(await showIndex(dir))
      : await messageText(dir, seq, invocation);
    return { code: 0, json: undefined, text };
  },
};

/** Returns the command that prints the JSON of a convening, or of a message. */
async function jsonCommand(seq: number | undefined): Promise<Action> {
  const { operationCommand } = await loadModule<typeof import("../operation_command.ts")>(
    import.meta.resolve("../operation_command.ts"),
  );
  const { MESSAGE, SHOW } = await late("../operations/messages.ts");
  if (seq === undefined) return operationCommand(SHOW);
  return operationCommand(MESSAGE, { args: { seq: "[seq]" }, read: () => ({ seq }) });
}

/** Returns the text of a message's file with the requested attachments. */
async function messageText(dir: string, seq: number, { values }: Invocation): Promise<string> {
  const { text } = await showMessage(dir, seq);
  const wanted = ATTACHMENTS.filter((flag) => values.get(flag) === true);
  if (wanted.length === 0) return withLineBreak(text);
  const { draft, rejected, factCheck, evidence, own } = await readAttachments(dir, seq);
  const facts = [...checkPart(factCheck), ...evidencePart(evidence), ...ownParts(own)];
  return [
    withLineBreak(text),
    ...wanted.includes(PRIVATE) ? privatePart(draft) : [],
    ...wanted.includes(REJECTED) ? rejectedPart(rejected) : [],
    ...!wanted.includes(FACTS) ? [] : facts.length > 0 ? facts : [NO_FACTS],
  ].join("\n");
}

const NO_FACTS = "## Facts\n\nNo facts are recorded about the message.\n";

function privatePart(draft: TurnDraft | undefined): readonly string[] {
  const fields = Object.entries(draft?.fields ?? {});
  return fields.length === 0
    ? ["## Private\n\nNothing was written in private.\n"]
    : fields.map(([name, text]) => `## Private: ${name}\n\n${withLineBreak(text)}`);
}

function rejectedPart(rejected: readonly Rejection[]): readonly string[] {
  return rejected.length === 0
    ? ["## Rejected\n\nNo attempt was rejected.\n"]
    : rejected.map(({ attempt, guard, reason, body }) =>
      `## Rejected: attempt ${attempt}, by ${guard}\n\n${reason}\n\n${withLineBreak(quoted(body))}`
    );
}

function checkPart(check: FactCheck | undefined): readonly string[] {
  if (check === undefined) return [];
  const lines = check.claims.map((claim) =>
    [
      `- ${claim.verdict} (${claim.confidence}): ${claim.text}`,
      ...claim.omitted === undefined ? [] : [`  -${omittedBy(claim)}`],
      ...claim.sources.map(({ title, url }) => `  - ${title}${url === "" ? "" : ` <${url}>`}`),
    ].join("\n")
  );
  return [`## Fact check\n\n${[checkSentence(check), ...lines].join("\n")}\n`];
}

/** Formats facts of own kinds: the value as JSON, and the text. */
function ownParts(own: readonly OwnFact[]): readonly string[] {
  return own.map(({ kind, key, value, body }) => {
    const text = body === "" ? "" : `\n${withLineBreak(quoted(body))}`;
    return `## ${kind}: ${key}\n\n${JSON.stringify(value)}\n${text}`;
  });
}

/** Formats the figures of quotations and citations; the message itself has the marks. */
function evidencePart(evidence: Evidence | undefined): readonly string[] {
  return evidence === undefined
    ? []
    : [`## Evidence\n\nQuotations and citations: ${figuresWords(figuresOf(evidence))}.\n`];
}

function quoted(text: string): string {
  return text.split("\n").map((line) => `> ${line}`).join("\n");
}

function withLineBreak(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
