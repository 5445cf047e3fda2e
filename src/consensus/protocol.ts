// The protocol of a consensus dialogue: proposals, turns with stances, summary; and its prompt texts.
import { fillTemplate, textsOf } from "../core/prompt.ts";
import texts from "../data/prompts/consensus.json" with { type: "json" };
import { consensusOf, heldBy, mergedIn } from "../judging/stances.ts";
import type { Consensus, Hold, Proposal } from "../core/outcome.ts";
import type { Stance } from "../core/fact.ts";
import type { Message } from "../core/message.ts";
import { ask, beginQuestions, type Protocol, say, settle } from "../core/protocol.ts";
import type { TurnStructure } from "../core/turn.ts";
import {
  listOf,
  mergeQuestion,
  proposalsIn,
  proposalsQuestion,
  standingText,
  turnStances,
  turnStructure,
} from "./questions.ts";

/** Texts of a consensus dialogue's prompts. */
export type ConsensusTemplates = Readonly<Record<keyof typeof texts, string>>;

/**
 * Default texts of a consensus dialogue's prompts; `prompts` in the configuration overrides each. `participant` and
 * `moderator` describe a role; `proposalsText` is spoken without a model; the others are tasks. The task of a turn is `reply`
 * and `statement`, from the second turn on `again` instead of `statement`; a person gets no `reply`. Questions to people use
 * the texts that end in `InWords`.
 */
export const CONSENSUS_TEMPLATES: ConsensusTemplates = textsOf(texts);

/** Rules of one consensus dialogue. */
export interface ConsensusRules {
  /** Topic, trimmed. */
  readonly topic: string;
  /** Id of the moderator. */
  readonly moderator: string;
  /** Participants that propose and take stances, in speaking order, at least two; `label` is the name in prompts. */
  readonly participants: readonly { readonly id: string; readonly label: string }[];
  /** Ids of the participants that are people; they answer in plain text. */
  readonly people: ReadonlySet<string>;
  /** Share of the participants that must agree, 0 to 1. */
  readonly threshold: number;
  /** Number of turns without a change that end the dialogue with consensus or impasse. */
  readonly stableTurns: number;
  /** Maximum tokens of a statement and of the summary. */
  readonly caps: { readonly statement: number; readonly summary: number };
  /** Tasks of turns and questions. */
  readonly templates: ConsensusTemplates;
}

/** Number of unreadable stances after which the end of the dialogue no longer depends on the participant. */
const MAX_UNREAD = 3;

/** Outcome of a consensus dialogue: agreed and open proposals, each with the participants' stances. */
export interface ConsensusOutcome extends Consensus {
  /** Reason for the end. */
  readonly endReason: "consensus" | "impasse";
  /** The moderator's summary. */
  readonly summary: Message;
}

interface State extends Consensus {
  /** Latest readable stance by participant. */
  readonly stances: ReadonlyMap<string, Stance>;
  /** Number of unreadable stances by participant. */
  readonly unread: ReadonlyMap<string, number>;
  /** Number of turns for which the same proposals, at least one, have been agreed. */
  readonly agreedTurns: number;
  /** Number of turns without a changed stance. */
  readonly unchangedTurns: number;
}

/**
 * Returns the protocol of a consensus dialogue (context-network/rules/dialogue_and_consensus.md): proposals, turns with
 * stances, summary. The turns end when the same proposals have been agreed for `stableTurns` turns, or when nothing is agreed
 * and no stance has changed for `stableTurns` turns; but not before every participant has a readable stance or three
 * unreadable ones.
 */
export function* consensus(rules: ConsensusRules): Protocol<ConsensusOutcome> {
  const proposals = yield* propose(rules);
  const structure = turnStructure(proposals);
  let last = yield* presentProposals(rules, proposals);
  let state = stateOf(rules, proposals, new Map());
  let endReason: ConsensusOutcome["endReason"] | undefined;
  for (let turn = 0; endReason === undefined; turn++) {
    const { stance, message } = yield* speak(rules, { proposals, structure, state, turn, last });
    last = message;
    state = nextState(rules, { proposals, state, stance, message });
    endReason = endOf(rules, state);
  }
  const { threshold, agreed, open } = state;
  return { endReason, threshold, agreed, open, summary: yield* summarise(rules, state) };
}

/** Asks all participants for proposals concurrently, then asks the moderator to merge them. */
function* propose(rules: ConsensusRules): Protocol<readonly Proposal[]> {
  const { participants, people, moderator, templates, topic } = rules;
  const questions = participants.map(({ id }) =>
    proposalsQuestion(id, people.has(id) ? templates.proposeInWords : templates.propose)
  );
  const choices = yield* settle(yield* beginQuestions(questions));
  const made = participants.flatMap(({ id, label }) =>
    choices.filter(({ participant }) => participant === id).flatMap(proposalsIn)
      .map((text) => ({ participant: id, label, text }))
  );
  const merge = yield* ask(mergeQuestion(made, { moderator, task: templates.merge, topic }));
  return mergedIn(merge) ?? [{ id: "p1", text: topic, by: [] }];
}

function* presentProposals(
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

/** Yields one turn and returns its stance; if the reply has no readable stance, asks a separate question. */
function* speak(
  rules: ConsensusRules,
  { proposals, structure, state, turn, last }: {
    readonly proposals: readonly Proposal[];
    readonly structure: TurnStructure;
    readonly state: State;
    /** Counted from 0. */
    readonly turn: number;
    readonly last: Message;
  },
): Protocol<{ message: Message; stance: Stance }> {
  const { participants, people, templates, caps } = rules;
  const { id } = participants[turn % participants.length]!;
  const round = 2 + Math.floor(turn / participants.length);
  const person = people.has(id);
  const { reply, statement, again } = templates;
  const task = [...person ? [] : [reply], round === 2 ? statement : again].join("\n\n");
  const message = yield* say({
    key: `round-${round}/${id}`,
    speaker: id,
    phase: "discussion",
    kind: "statement",
    round,
    replyTo: last.seq,
    maxTokens: caps.statement,
    task,
    ...person ? {} : { structure },
    values: { argumentLength: String(caps.statement) },
    notes: standingText(state, rules.participants),
  });
  const asked = person ? templates.stanceInWords : templates.stance;
  return { message, stance: yield* ask(turnStances(message, proposals, asked)) };
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
    notes: standingText(state, rules.participants),
  });
}

function stateOf(
  { participants, threshold }: ConsensusRules,
  proposals: readonly Proposal[],
  stances: ReadonlyMap<string, Stance>,
): State {
  const ids = participants.map(({ id }) => id);
  const counted = consensusOf(proposals, [...stances.values()], { participants: ids, threshold });
  return { ...counted, stances, unread: new Map(), agreedTurns: 0, unchangedTurns: 0 };
}

function nextState(
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
  // Messages of a plan have no text and no stances.
  else if (message.body !== "") unread.set(participant, (unread.get(participant) ?? 0) + 1);
  const next = stateOf(rules, proposals, stances);
  const same = next.agreed.length > 0 && idsOf(next) === idsOf(state);
  const changed = isChange(state.stances.get(stance.participant), stance);
  return {
    ...next,
    unread,
    agreedTurns: same ? state.agreedTurns + 1 : 0,
    unchangedTurns: changed ? 0 : state.unchangedTurns + 1,
  };
}

/** Returns true for a first or a different stance, or a condition added or removed; strength and wording do not count. */
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
  { stances, unread, agreed, agreedTurns, unchangedTurns }: State,
): ConsensusOutcome["endReason"] | undefined {
  const isHeard = (id: string) => stances.has(id) || (unread.get(id) ?? 0) >= MAX_UNREAD;
  if (!participants.every(({ id }) => isHeard(id))) return undefined;
  if (agreedTurns >= stableTurns) return "consensus";
  return agreed.length === 0 && unchangedTurns >= stableTurns ? "impasse" : undefined;
}

function idsOf({ agreed }: Consensus): string {
  return agreed.map(({ id }) => id).join(" ");
}
