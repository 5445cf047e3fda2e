// Debate coordinators whose models are scripted agents.
import assert from "node:assert/strict";
import {
  ConfigurationError,
  DebateCoordinator,
  memoryRecord,
  PaperError,
  TopicError,
} from "../../../mod.ts";
import type { CoordinatorOptions, DebaterArgument } from "../../../papers.ts";
import { defaultHost } from "../../../protocol.ts";
import { paperTalker, POSTURES, TOPICS } from "../../papers/debate/support/paper_talkers.ts";
import { withFolder } from "../../support/cli.ts";
import { testsWith } from "../../support/tests_with.ts";
import type { Say, Talker } from "../../support/talkers.ts";

export const QUESTION = "To what extent do trees cool streets at night?";
export const THREE = POSTURES.slice(0, 3);
/** Agent that currently replaces every model. */
let talker: Talker | undefined;
export const OPTIONS: CoordinatorOptions = {
  model: "talker",
  host: { ...defaultHost, agent: () => talker! },
  seed: 1,
  searchers: [],
  retry: { minWait: 0, maxWait: 0 },
  guards: { repetition: "off" },
};

/** Calls `work` while a talker replaces every model. */
export async function talking<T>(work: (agent: Talker) => Promise<T>, say?: Say): Promise<T> {
  const before = talker;
  const agent = talker = paperTalker(say, "talker");
  try {
    return await work(agent);
  } finally {
    talker = before;
  }
}

talking.test = testsWith(talking);

/** Calls `work` with an archive folder while a talker replaces every model. */
export async function archiving(
  work: (out: string, agent: Talker) => Promise<void>,
  say?: Say,
): Promise<void> {
  await withFolder((out) => talking((agent) => work(out, agent), say));
}

archiving.test = testsWith(archiving);

/** Creates a coordinator whose whole debate is recorded in memory. */
export function coordinatorOf(options: CoordinatorOptions = {}): DebateCoordinator {
  return new DebateCoordinator({ ...OPTIONS, record: memoryRecord(), ...options });
}

/** Returns an argument from elsewhere. */
export function argumentOn(posture: string, mark?: "verified" | "not found"): DebaterArgument {
  const hit = { chunkId: "trees#1", text: "Streets with trees were cooler.", score: 1 };
  return {
    posture,
    perTopic: TOPICS.map((topic) => ({
      topic,
      claim: `${topic} bears it out.`,
      reasoning: "Because of what was counted.",
      counterpoints: ["It was two summers."],
      citations: mark === undefined ? { paper: [hit] } : { paper: [{ ...hit, status: mark }] },
    })),
    overallPosition: "So it is.",
  };
}

export async function refused(
  work: () => Promise<unknown>,
  { field, says, hint = /\w/ }: {
    readonly field: string;
    readonly says: RegExp;
    readonly hint?: RegExp;
  },
): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(
      error instanceof ConfigurationError || error instanceof PaperError ||
        error instanceof TopicError,
      String(error),
    );
    assert.equal(error.field, field);
    assert.match(error.message, says);
    assert.match(error.hint ?? "", hint);
    return true;
  });
}
