// Rows for training: accepted turns with their prompts, and rejected drafts beside the accepted ones.
import { HUMAN } from "../../core/agent.ts";
import { LAST_OWN_LOOK_UP, type Rejection } from "../../core/fact.ts";
import { onceEach } from "../../core/once_each.ts";
import type { Message } from "../../core/message.ts";
import type { RecordedPrompt } from "../../engine/planned_prompts.ts";
import { contestantOf, debateId, type Exported, type Row } from "./rows.ts";

/** Guards whose rejected drafts hold no words that an answer could be compared with. */
const NO_WORDS: ReadonlySet<string> = new Set(["empty", "refused", "unreadable"]);

/** First prompts of the turns of a record, by the turn's key. */
export type Prompts = ReadonlyMap<string, RecordedPrompt>;

/** Accepted turns as chats: what the model was sent, and what the model said. */
export function chatRows(
  exported: Exported,
  prompts: Prompts,
  { winnersOnly }: { readonly winnersOnly: boolean },
): Row[] {
  const { contents, result, leaveOut } = exported;
  return turnsOf(contents.facts).flatMap((message) => {
    const prompt = prompts.get(message.turn);
    const contestant = contestantOf(exported, message.participant);
    const won = result.winner === undefined || result.winner === null
      ? null
      : result.winner === contestant;
    const why = obstacle(exported, message, prompt) ??
      (winnersOnly && won !== true ? "the speaker did not win" : undefined);
    if (why !== undefined) {
      leaveOut(why);
      return [];
    }
    const said = { role: "assistant", content: message.body };
    return [{
      messages: [...chat(prompt!), said],
      ...placeOf(exported, message),
      won,
    }];
  });
}

/** Rejected drafts of a turn, each beside the accepted one: both answer the prompt of the turn. */
export function preferenceRows(exported: Exported, prompts: Prompts): Row[] {
  const { contents: { facts }, leaveOut } = exported;
  const rejected = Map.groupBy(
    facts.filter((fact) => fact.type === "rejected"),
    ({ turn }) => turn,
  );
  const messages = new Map(turnsOf(facts).map((message) => [message.turn, message]));
  return [...rejected].flatMap(([turn, drafts]) => {
    const message = messages.get(turn);
    const prompt = prompts.get(turn);
    return drafts.flatMap((draft) => {
      const why = message === undefined
        ? "no draft of the turn was accepted"
        : obstacle(exported, message, prompt) ?? wordless(draft, message);
      if (why !== undefined) {
        leaveOut(why);
        return [];
      }
      return [{
        prompt: chat(prompt!),
        chosen: [{ role: "assistant", content: message!.body }],
        rejected: [{ role: "assistant", content: draft.body }],
        ...placeOf(exported, message!),
        guard: draft.guard,
        attempt: draft.attempt,
        attempts: message!.attempts,
      }];
    });
  });
}

function turnsOf(facts: Exported["contents"]["facts"]): Message[] {
  return facts.filter((fact) => fact.type === "message");
}

function chat({ messages }: RecordedPrompt): Row[] {
  return messages.map(({ role, content }) => ({ role, content }));
}

function placeOf(exported: Exported, message: Message): Row {
  const { turn, seq, participant, role, phase, round, model } = message;
  const contestant = contestantOf(exported, participant);
  return { debateId: debateId(exported), turn, seq, contestant, role, phase, round, model };
}

/** Reason that a draft cannot be compared with the accepted turn. */
function wordless({ guard, body }: Rejection, message: Message): string | undefined {
  if (NO_WORDS.has(guard) || body.trim() === "") return "the draft has no words of an answer";
  return body === message.body ? "the draft has the words of the accepted turn" : undefined;
}

/** Reason that a turn is no example of an answer to its prompt; undefined where the turn is one. */
function obstacle(
  { contents: { start, facts }, allow }: Exported,
  message: Message,
  prompt: RecordedPrompt | undefined,
): string | undefined {
  const { model, edited, marks, folded, turn } = message;
  if (model === "template") return "the words are a template's";
  if (model === HUMAN) return "the words are a person's";
  if (edited === true) return "the turn was edited";
  if (marks.length > 0) return "the turn breaks a rule or was cut";
  if (start.papers !== undefined) return "prompts that show papers cannot be built again";
  if (folded !== undefined) return "the prompt had a summary in the place of older turns";
  if (prompt === undefined) return "the prompt could not be built again";
  if (prompt.structured) return "the reply had fields besides the speech";
  if (toolTurns(facts).has(turn)) return "the model called tools";
  if (prompt.hasSources && !allow.has("sources")) return "the prompt shows sources";
  const hasPeople = start.participants.some((each) => each.model === HUMAN) ||
    prompt.shown.some((each) => each.model === HUMAN);
  return hasPeople && !allow.has("people") ? "the prompt shows people or their words" : undefined;
}

/** The turns in which models called tools. */
const toolTurns = onceEach((facts: Exported["contents"]["facts"]): ReadonlySet<string> =>
  new Set(
    facts.flatMap((fact) =>
      fact.type === "lookup" && fact.number <= LAST_OWN_LOOK_UP ? [fact.turn] : []
    ),
  )
);
