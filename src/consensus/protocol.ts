// The protocol of a consensus dialogue, and its texts.
import { fillTemplate, quoted, textsOf } from "../core/prompt.ts";
import texts from "../data/prompts/consensus.json" with { type: "json" };
import { consensusOf, heldBy } from "../judging/stances.ts";
import type { Consensus, Hold, Proposal } from "../core/outcome.ts";
import type { Choice, Stance } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ask, beginAsk, type Begun, type Protocol, say, settle } from "../core/protocol.ts";
import type { TurnStructure } from "../core/turn.ts";
import {
  listOf,
  mergedIn,
  mergeQuestion,
  proposalsIn,
  proposalsQuestion,
  stanceQuestion,
  standingText,
  turnStructure,
} from "./questions.ts";

/** The texts of one consensus dialogue. */
export type ConsensusTemplates = Readonly<Record<keyof typeof texts, string>>;

/**
 * The texts of a consensus dialogue; each can be replaced under `prompts` in the configuration. `participant` and
 * `moderator` introduce the member that is asked; `proposalsText` is said as it stands; the others are tasks. A turn's task
 * is `reply`, then `statement`; a person's is `statement` alone, and questions are asked of people in their `InWords` form.
 */
export const CONSENSUS_TEMPLATES: ConsensusTemplates = textsOf(texts);

/** The rules of one consensus dialogue, as data. */
export interface ConsensusRules {
  /** The topic, trimmed. */
  readonly topic: string;
  /** The moderator's id. */
  readonly moderator: string;
  /** Participants that propose and take a stance, in speaking order: two or more, each with its name in prompts. */
  readonly participants: readonly { readonly id: string; readonly label: string }[];
  /** The ids of those of them who are people, and answer in words. */
  readonly people: ReadonlySet<string>;
  /** The share of the participants that must agree, 0 to 1. */
  readonly threshold: number;
  /** Number of turns that agreement must hold, or without a change of stance for an impasse. */
  readonly stableTurns: number;
  /** The most tokens of a speech, and of the summary. */
  readonly caps: { readonly statement: number; readonly summary: number };
  /** Tasks of turns and questions. */
  readonly templates: ConsensusTemplates;
}

/** So often is somebody asked for stances that cannot be read; after that nobody waits for them. */
const MAX_UNREAD = 3;

/** Outcome of a consensus dialogue: proposals agreed and open, and each participant's stance. */
export interface ConsensusOutcome extends Consensus {
  /** Reason for the end. */
  readonly endReason: "consensus" | "impasse";
  /** The moderator's summary. */
  readonly summary: Message;
}

interface State extends Consensus {
  /** Each participant's latest readable stance. */
  readonly stances: ReadonlyMap<string, Stance>;
  /** By participant: how many of its stances could not be read. */
  readonly unread: ReadonlyMap<string, number>;
  /** For how many turns the same proposals, at least one, have been agreed. */
  readonly held: number;
  /** For how many turns nobody has changed a stance. */
  readonly quiet: number;
}

/**
 * A search for consensus (context-network/rules/dialogue_and_consensus.md): proposals, turns with stances until the same proposals have been
 * agreed for `stableTurns` turns, or nothing is agreed and no stance has changed for as many; then a summary. Neither ends
 * it before everybody has stated something, or could not be read three times.
 */
export function* consensus(rules: ConsensusRules): Protocol<ConsensusOutcome> {
  const proposals = yield* propose(rules);
  const structure = turnStructure(proposals);
  const stand = { proposals, structure };
  let last = yield* putBefore(rules, proposals);
  let state = stateOf(rules, proposals, new Map());
  let endReason: ConsensusOutcome["endReason"] | undefined;
  for (let turn = 0; endReason === undefined; turn++) {
    const { stance, message } = yield* speak(rules, { ...stand, state, turn, last });
    last = message;
    state = after(rules, { proposals, state, stance, message });
    endReason = endOf(rules, state);
  }
  const { threshold, agreed, open } = state;
  return { endReason, threshold, agreed, open, summary: yield* summarise(rules, state) };
}

/** Everybody proposes at once; the moderator puts together what there is. */
function* propose(rules: ConsensusRules): Protocol<readonly Proposal[]> {
  const { participants, people, moderator, templates, topic } = rules;
  const begun: Begun<Choice>[] = [];
  for (const { id } of participants) {
    const task = people.has(id) ? templates.proposeInWords : templates.propose;
    begun.push(yield* beginAsk(proposalsQuestion(id, task)));
  }
  const choices = yield* settle(begun);
  const made = participants.flatMap(({ id, label }) =>
    choices.filter(({ participant }) => participant === id).flatMap(proposalsIn)
      .map((text) => ({ participant: id, label, text }))
  );
  const merge = yield* ask(mergeQuestion(made, { moderator, task: templates.merge, topic }));
  return mergedIn(merge) ?? [{ id: "p1", text: topic, by: [] }];
}

function* putBefore(
  { moderator, templates }: ConsensusRules,
  proposals: readonly Proposal[],
): Protocol<Message> {
  return yield* say({
    key: `proposals/${moderator}`,
    speaker: moderator,
    phase: "proposals",
    kind: "proposals",
    round: 1,
    task: templates.proposalsText,
    text: fillTemplate(templates.proposalsText, { proposals: listOf(proposals) }),
  });
}

/** One turn, and the stance that is part of it; whose cannot be read is asked for by itself. */
function* speak(
  rules: ConsensusRules,
  { proposals, structure, state, turn, last }: {
    readonly proposals: readonly Proposal[];
    readonly structure: TurnStructure;
    readonly state: State;
    /** From 0. */
    readonly turn: number;
    readonly last: Message;
  },
): Protocol<{ message: Message; stance: Stance }> {
  const { participants, people, templates, caps } = rules;
  const { id } = participants[turn % participants.length]!;
  const round = 2 + Math.floor(turn / participants.length);
  const person = people.has(id);
  const message = yield* say({
    key: `round-${round}/${id}`,
    speaker: id,
    phase: "discussion",
    kind: "statement",
    round,
    replyTo: last.seq,
    maxTokens: caps.statement,
    ...person
      ? { task: templates.statement }
      : { task: `${templates.reply}\n\n${templates.statement}`, structure },
    values: { argumentLength: String(caps.statement) },
    notes: standingText(state, labelsIn(rules)),
  });
  const task = person ? templates.stanceInWords : templates.stance;
  const list = quoted(listOf(proposals));
  const stance = yield* ask(stanceQuestion(message, { proposals, task, list }));
  return { message, stance };
}

function* summarise(rules: ConsensusRules, state: State): Protocol<Message> {
  const { moderator, templates, caps } = rules;
  return yield* say({
    key: `summary/${moderator}`,
    speaker: moderator,
    phase: "summary",
    kind: "summary",
    round: 0,
    maxTokens: caps.summary,
    task: templates.summary,
    notes: standingText(state, labelsIn(rules)),
  });
}

function stateOf(
  { participants, threshold }: ConsensusRules,
  proposals: readonly Proposal[],
  stances: ReadonlyMap<string, Stance>,
): State {
  const ids = participants.map(({ id }) => id);
  const counted = consensusOf(proposals, [...stances.values()], { participants: ids, threshold });
  return { ...counted, stances, unread: new Map(), held: 0, quiet: 0 };
}

function after(
  rules: ConsensusRules,
  { proposals, state, stance, message }: {
    readonly proposals: readonly Proposal[];
    readonly state: State;
    readonly stance: Stance;
    readonly message: Message;
  },
): State {
  const stances = new Map(state.stances);
  const unread = new Map(state.unread);
  const { participant } = stance;
  if (stance.status === "read") stances.set(participant, stance);
  // A plan's messages have no words, and no stances.
  else if (message.body !== "") unread.set(participant, (unread.get(participant) ?? 0) + 1);
  const next = stateOf(rules, proposals, stances);
  const same = next.agreed.length > 0 && idsOf(next) === idsOf(state);
  const changed = isChange(state.stances.get(stance.participant), stance);
  return {
    ...next,
    unread,
    held: same ? state.held + 1 : 0,
    quiet: changed ? 0 : state.quiet + 1,
  };
}

/** A first stance and another one are changes, a condition that came or went too; strength and wording are none. */
function isChange(before: Stance | undefined, now: Stance): boolean {
  if (now.status === "unread") return false;
  if (before === undefined) return true;
  const held = heldBy([before]).get(now.participant);
  return now.stances.some(({ on, ...hold }) => kindOf(held?.get(on)) !== kindOf(hold));
}

function kindOf(hold: Hold | undefined): string {
  return hold === undefined ? "" : `${hold.stance}${hold.condition === undefined ? "" : " if"}`;
}

function endOf(
  { participants, stableTurns }: ConsensusRules,
  { stances, unread, agreed, held, quiet }: State,
): ConsensusOutcome["endReason"] | undefined {
  const isHeard = (id: string) => stances.has(id) || (unread.get(id) ?? 0) >= MAX_UNREAD;
  if (!participants.every(({ id }) => isHeard(id))) return undefined;
  if (held >= stableTurns) return "consensus";
  return agreed.length === 0 && quiet >= stableTurns ? "impasse" : undefined;
}

function idsOf({ agreed }: Consensus): string {
  return agreed.map(({ id }) => id).join(" ");
}

function labelsIn({ participants }: ConsensusRules): ReadonlyMap<string, string> {
  return new Map(participants.map(({ id, label }) => [id, label]));
}
