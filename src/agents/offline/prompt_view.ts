// The parts of a prompt that the offline agent reads: sides, turns, sources and the task.
import type { ChatMessage } from "../../core/agent.ts";

/** A turn as the prompt shows it. */
export interface ShownTurn {
  /** Number of the message; 0 in a record that is set out by side, which has other numbers in each pass. */
  readonly number: number;
  /** The label of its speaker. */
  readonly speaker: string;
  /** Such as `opening statement`. */
  readonly kind: string;
  readonly body: string;
}

/** A side as the preamble names it. */
type ShownSide = { readonly label: string; readonly position: string | undefined };

/** The marked parts of one prompt. */
export interface PromptView {
  readonly sides: readonly ShownSide[];
  readonly turns: readonly ShownTurn[];
  /** Texts of others inside tags, by the tag or the source's name. */
  readonly quoted: readonly { readonly name: string; readonly text: string }[];
  /** The words after the last turn. */
  readonly task: string;
  /** The turn that the task names by its number. */
  readonly named: ShownTurn | undefined;
}

const TURN =
  /<turn(?: number="([\d.]+)")? speaker="([^"]*)" kind="([^"]*)"(?: answers="[\d.]+")?>\n([\s\S]*?)\n<\/turn>/g;
const QUOTED =
  /<(source|statement|claim|persona|result)(?: name="([^"]*)")?[^>\n]*>\n([\s\S]*?)\n<\/\1>/g;
const SIDES = /^Participants:\n((?:- .*\n?)+)/m;
const NAMED = /\b(?:turn|argument|message)\s+(\d+)/g;

/** Reads the first request of a prompt; the words of later attempts are left out. */
export function viewOf(messages: readonly ChatMessage[]): PromptView {
  const instructions = messages.find(({ role }) => role === "system")?.content ?? "";
  const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
  const turns = [...prompt.matchAll(TURN)].map(([, number, speaker, kind, body]): ShownTurn => ({
    number: number === undefined || number.includes(".") ? 0 : Number(number),
    speaker: plain(speaker!),
    kind: kind!,
    body: plain(body!),
  }));
  const end = prompt.lastIndexOf("</turn>");
  const task = end === -1 ? prompt : prompt.slice(end + "</turn>".length);
  const numbers = [...task.matchAll(NAMED)].map(([, number]) => Number(number));
  return {
    sides: sidesIn(instructions),
    turns,
    quoted: [...`${instructions}\n${prompt}`.matchAll(QUOTED)].map(([, tag, name, text]) => ({
      name: plain(name ?? tag!),
      text: plain(text!),
    })),
    task,
    named: turns.findLast(({ number }) => numbers.includes(number)),
  };
}

function sidesIn(instructions: string): ShownSide[] {
  const lines = SIDES.exec(instructions)?.[1]?.trim().split("\n") ?? [];
  return lines.map((line) => {
    const [, label = "", position] = /^- (.*?)(?:: (.*))?$/.exec(line) ?? [];
    return { label, position };
  });
}

function plain(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
