// The derived files of the bare loop, made once at the end.
import {
  type BareMessage,
  type BareScore,
  type BareVerdict,
  firstWords,
  WEIGHTS,
} from "./bare_files.ts";

/** Everything a debate of the bare loop brought. */
export interface BareDebate {
  readonly topic: string;
  readonly status: "running" | "completed";
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  readonly rounds: number;
  readonly sides: readonly {
    readonly id: string;
    readonly name: string;
    readonly position: string;
  }[];
  readonly model: string;
  readonly messages: readonly BareMessage[];
  readonly names: ReadonlyMap<number, string>;
  readonly scores: readonly BareScore[];
  readonly verdicts: readonly BareVerdict[];
}

/** Messages that fit beside the head of `index.md`, and on a page, in 2,000 tokens. */
const DIRECT = 18;
const PAGE = 24;

interface Standing {
  readonly total: number;
  readonly breakdown: Record<string, number>;
  readonly scored: number;
}

function round4(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

function standingOf(debate: BareDebate, id: string): Standing {
  const own = debate.scores.filter((score) => score.id === id);
  const breakdown: Record<string, number> = {};
  let total = 0;
  for (const [criterion, weight] of Object.entries(WEIGHTS)) {
    const mean = own.reduce((sum, { scores }) => sum + (scores[criterion] ?? 0), 0) /
      Math.max(1, own.length);
    breakdown[criterion] = round4(mean);
    total += round4(breakdown[criterion]! * weight);
  }
  return { total: round4(total), breakdown, scored: own.length };
}

/** The winner of both orders; null where they differ. */
function winnerOf({ verdicts }: BareDebate): string | null {
  const [first, second] = verdicts;
  return first !== undefined && first.winner === second?.winner ? first.winner : null;
}

function usageOf({ messages, scores, verdicts }: BareDebate): string {
  let [input, cached, output] = [0, 0, 0];
  for (const list of [messages, scores, verdicts]) {
    for (const { made } of list) {
      input += made.input;
      cached += made.cached;
      output += made.output;
    }
  }
  return `{ input_tokens: ${input}, cached_input_tokens: ${cached}, output_tokens: ${output}, cost_usd: unknown }`;
}

function flow(values: Readonly<Record<string, number>>): string {
  return `{ ${Object.entries(values).map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}

function statusLines(debate: BareDebate): string {
  const done = debate.status === "completed";
  return `status: ${debate.status}
end_reason: ${done ? "completed" : "null"}
outcome: ${done ? winnerOf(debate) === null ? "undecided" : "decided" : "null"}
winner: ${winnerOf(debate)}
`;
}

/** `metadata.md`. */
export function metadataText(debate: BareDebate): string {
  const { topic, sides, startedAt, endedAt, messages, scores, verdicts, rounds, model } = debate;
  const quotedModel = JSON.stringify(model);
  const people = sides.map(({ id, name, position }) =>
    `  - id: ${id}
    name: ${name}
    role: position_advocate
    label: ${name}
    position: ${JSON.stringify(position)}
    model: ${quotedModel}
`
  ).join("");
  const standings = sides.map(({ id, name }) => {
    const { total, breakdown, scored } = standingOf(debate, id);
    return `  ${id}:
    name: ${name}
    total: ${total}
    breakdown: ${flow(breakdown)}
    scored: ${scored}
    missing: 0
`;
  }).join("");
  return `---
format: convenings/1
type: metadata
kind: debate
topic: ${JSON.stringify(topic)}
${statusLines(debate)}scores:${scores.length === 0 ? " {}\n" : `\n${standings}`}unscored: []
participants:
  - { id: moderator, name: Moderator, role: moderator, label: Moderator, model: ${quotedModel} }
${people}judges: [{ id: judge, name: Judge, model: ${quotedModel}, rubric: debate }]
usage: ${usageOf(debate)}
statistics: { messages: ${messages.length}, scores: ${scores.length}, verdicts: ${verdicts.length}, rejected: 0, failures: 0, lookups: 0, rounds: ${rounds} }
seed: 1
started_at: ${startedAt}
ended_at: ${endedAt ?? "null"}
resumes: []
expected_messages: ${5 * rounds + 6}
sources: []
configuration:
  kind: debate
  topic: ${JSON.stringify(topic)}
  model: ${quotedModel}
  debateFormat: formal
  roundCount: ${rounds}
  openingStatementMaxTokens: 300
  argumentMaxTokens: 250
  closingStatementMaxTokens: 350
---
# ${topic}

A debate, ${debate.status}: ${messages.length} messages, 3 participants.
`;
}

/** `summary.md`. */
export function summaryText(debate: BareDebate): string {
  const summary = debate.messages.find(({ kind }) => kind === "summary");
  const totals = debate.sides.map(({ id, name, position }) =>
    `- ${name} (${position}): **${standingOf(debate, id).total}**\n`
  ).join("");
  return `---
format: convenings/1
type: summary
index: index.md
${statusLines(debate)}---
# Summary: ${debate.topic}

${summary?.body}

## Result

Winner: ${winnerOf(debate) ?? "none"}.

${totals}
[index.md](index.md) lists what was said.
`;
}

/** `scores.md`. */
export function scoresText(debate: BareDebate): string {
  const tables = debate.sides.map(({ id, name, position }) => {
    const { total, breakdown, scored } = standingOf(debate, id);
    const rows = Object.entries(WEIGHTS).map(([criterion, weight]) =>
      `| ${criterion} | ${weight} | ${breakdown[criterion]} | ${
        round4(weight * breakdown[criterion]!)
      } |\n`
    ).join("");
    return `### ${name} (${position})

| criterion | weight | mean | weighted |
| --- | --- | --- | --- |
${rows}| **total** | | | **${total}** |

${scored} scored, 0 missing.
`;
  }).join("\n");
  const verdicts = debate.verdicts.map(({ number, order, winner }) =>
    `| Judge | ${number} | ${order.join(", ")} | ${winner} |\n`
  ).join("");
  return `---
format: convenings/1
type: scores
index: index.md
panels: 1
---
# Scores: ${debate.topic}

${tables}
### Verdicts

| judge | number | order shown | winner |
| --- | --- | --- | --- |
${verdicts}`;
}

/** `index.md` and, where the messages do not fit it, `pages/`: text by path. */
export function indexTexts(
  debate: BareDebate,
  tokens: (body: string) => number,
): Map<string, string> {
  const { topic, sides, messages, startedAt, endedAt, names } = debate;
  const rows = messages.map(({ seq, round, name, kind, body }) => ({
    seq,
    tokens: tokens(body),
    line: (up: string) =>
      `| [${seq}](${up}messages/${names.get(seq)}) | ${round} | ${name} | ${kind} | ${
        tokens(body)
      } | ${firstWords(body).replace(/[\\`*_[\]<>|]/g, "\\$&")} |\n`,
  }));
  const texts = new Map<string, string>();
  const direct = rows.length <= DIRECT;
  let list = direct ? `${HEADING}${rows.map(({ line }) => line("")).join("")}` : PAGES;
  for (let at = 0; at < rows.length && !direct; at += PAGE) {
    const part = rows.slice(at, at + PAGE);
    const name = `${String(at / PAGE + 1).padStart(3, "0")}.md`;
    const [first, last] = [part[0]!.seq, part.at(-1)!.seq];
    const sum = part.reduce((total, row) => total + row.tokens, 0);
    list += `| [${first}–${last}](pages/${name}) | ${part.length} | ${sum} |\n`;
    texts.set(
      `pages/${name}`,
      `---
format: convenings/1
type: page
index: ../index.md
first: ${first}
last: ${last}
messages: ${part.length}
tokens: ${sum}
---
# Messages ${first} to ${last}

${HEADING}${part.map(({ line }) => line("../")).join("")}`,
    );
  }
  const standings = sides.map(({ id, name, position }) => {
    const { total, scored } = standingOf(debate, id);
    return `| ${name} | ${position} | ${total} | ${scored} | 0 |\n`;
  }).join("");
  texts.set(
    "index.md",
    `---
format: convenings/1
type: index
kind: debate
topic: ${JSON.stringify(topic)}
${statusLines(debate)}participants: [Moderator, ${sides.map(({ name }) => name).join(", ")}]
usage: ${usageOf(debate)}
started_at: ${startedAt}
ended_at: ${endedAt ?? "null"}
---
# ${topic}

This is the record of a debate: a directory of markdown, one file a message, which this page lists.

| participant | position | total | scored | missing |
| --- | --- | --- | --- | --- |
${standings}
Also here: [metadata.md](metadata.md) · [summary.md](summary.md) · [scores.md](scores.md) · up: [index of the day](../index.md)

${list}`,
  );
  return texts;
}

const HEADING = "| seq | round | speaker | kind | tokens | gist |\n" +
  "| --- | --- | --- | --- | --- | --- |\n";
const PAGES = "| messages | count | tokens |\n| --- | --- | --- |\n";
