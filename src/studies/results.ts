// Reads the results of a study's convenings from their records.
import { join } from "@std/path";
import { defined } from "../core/values.ts";
import type { Fact, Verdict } from "../core/fact.ts";
import { type FileSystem, inParallel } from "../core/files.ts";
import { type Message, NO_USAGE } from "../core/message.ts";
import type { ParticipantInfo } from "../core/event.ts";
import { countWords } from "../core/words.ts";
import { arguing, assess, withPositions } from "../judging/assessment.ts";
import { panelsOf, verdictsByVote, voteOf } from "../judging/panels.ts";
import { standings } from "../judging/scoring.ts";
import { heldStatus } from "../record/archive.ts";
import { ifReadable } from "../record/problems.ts";
import { readRecord } from "../record/read.ts";
import type { RecordContents } from "../record/record_model.ts";
import { cellDir, checkCell, type StudyOnDisk } from "./folder.ts";
import { errorCode } from "../record/log.ts";
import type { Cell, SideResult, StudyDebate, StudyVote } from "./study.ts";

const TYPES = new Set<Fact["type"]>(["message", "score", "verdict", "stance", "choice"]);

/** Reads the results of a study's convenings in the order of its plan. */
export async function studyDebates(
  on: Pick<StudyOnDisk, "files" | "dir" | "cells">,
): Promise<StudyDebate[]> {
  return await inParallel(
    on.cells,
    (cell) => readStudyDebate(on.files, cellDir(on, cell), cell),
  );
}

/** Reads the result of a cell from its record in `dir`; `planned` without a record, `failed` for a damaged record or that of another cell. */
export async function readStudyDebate(
  files: FileSystem,
  dir: string,
  cell: Cell,
): Promise<StudyDebate> {
  const empty = { cell, dir, sides: [], votes: [], usage: NO_USAGE };
  const planned: StudyDebate = { ...empty, status: "planned" };
  return await ifReadable(async () => {
    if (await files.stat(join(dir, "metadata.md")) === undefined) return planned;
    const contents = await readRecord(files, dir, { types: TYPES });
    checkCell(contents.start, cell);
    const status = await heldStatus(files, dir, contents.status);
    const code = status === "failed" ? await errorCode(files, dir) : undefined;
    // Copied, because substrings of a file keep the whole file in memory.
    const result = structuredClone(resultOf(contents, cell));
    return { ...result, dir, status, ...defined({ code }) };
  }, (): StudyDebate => ({ ...empty, status: "failed", code: "record_corrupt" }));
}

/** Computes the result of a record; final only if the record's status is. */
export function resultOf(
  { start: given, facts, usage, status, startedAt, endedAt }: RecordContents,
  cell: Cell,
): Omit<StudyDebate, "dir" | "status" | "code"> {
  const start = withPositions(given, facts);
  const { outcome, winner, scores, consensus } = assess(given, facts, { compareJudges: false });
  const own = panelsOf(start, facts).find((panel) => panel.own);
  const messages = facts.filter((fact) => fact.type === "message");
  const seats = seatsOf(arguing(start.participants), messages, cell);
  const sideOf = <T extends string | null>(id: T) => id === null ? id : seats.get(id) ?? id;
  const names = new Map([...seats.keys()].map((id) => [id, id]));
  const judges = [...Map.groupBy(own?.scores ?? [], ({ judge }) => judge)].map(([judge, given]) => {
    const [least, most] = given[0]!.scale;
    const shareOf = (total: number) => (total - least) / (most - least);
    return { judge, shareOf, scores: standings(given, names, messages).scores };
  });
  const isOver = status === "completed" && outcome !== "unscored";
  return defined({
    cell,
    question: messages.findLast(({ kind }) => kind === "question")?.body ?? start.topic,
    winner: isOver ? sideOf(winner) : undefined,
    sides: [...seats].map(([id, contestant]): SideResult => {
      const turns = messages.filter(({ participant }) => participant === id);
      const { model } = turns.at(-1) ?? start.participants.find((each) => each.id === id)!;
      return defined({
        contestant,
        participant: id,
        model,
        turns: turns.length,
        words: turns.reduce((sum, { body }) => sum + countWords(body), 0),
        total: scores[id]?.total,
        totals: Object.fromEntries(
          judges.flatMap(({ judge, shareOf, scores: { [id]: own } }) =>
            own === undefined ? [] : [[judge, shareOf(own.total)]]
          ),
        ),
      });
    }),
    votes: votesIn(own?.verdicts ?? [], sideOf),
    proposals: status === "completed" && consensus !== undefined
      ? { agreed: consensus.agreed.length, open: consensus.open.length }
      : undefined,
    usage,
    startedAt,
    endedAt,
  });
}

/**
 * Returns the contestant of each side by participant id: the cell's contestants in the order of seats, then other sides, by
 * participant id, in the order of their first turns.
 */
function seatsOf(
  sides: readonly ParticipantInfo[],
  messages: readonly Message[],
  { first, second }: Cell,
): Map<string, string> {
  const spoken = [...new Set(messages.map(({ participant }) => participant))];
  const place = (id: string) => spoken.includes(id) ? spoken.indexOf(id) : spoken.length;
  const ids = sides.map(({ id }) => id);
  const rest = first === undefined ? ids : ids.slice(2);
  const others = rest.toSorted((a, b) => place(a) - place(b)).map((id) => [id, id] as const);
  if (first === undefined || ids.length < 2) return new Map(others);
  return new Map([[ids[0]!, first], [ids[1]!, second!], ...others]);
}

/** Returns the vote of each judge, with contestants instead of participants. */
function votesIn(
  verdicts: readonly Verdict[],
  sideOf: <T extends string | null>(id: T) => T | string,
): StudyVote[] {
  return verdictsByVote(verdicts).map((own) => ({
    ...voteOf(own.map((each) => ({ ...each, winner: sideOf(each.winner) }))),
    verdicts: own.map(({ order: [shown = ""], winner, status, pass }) => ({
      shownFirst: sideOf(shown),
      winner: status === "read" ? sideOf(winner) : undefined,
      ...pass === undefined ? {} : { pass },
    })),
  }));
}
