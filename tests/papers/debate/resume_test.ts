// Resumes of failed paper debates from disk.
import assert from "node:assert/strict";
import {
  type Agent,
  AgentError,
  folderRecord,
  openConvening,
  resume,
  verify,
} from "../../../mod.ts";
import type { Paper, PaperDebateOutcome } from "../../../papers.ts";
import { withFolder } from "../../support/cli.ts";
import {
  OWN_RUBRIC,
  paperDebateOf,
  type PaperSettings,
  paperTalker,
  TREES,
} from "./support/paper_talkers.ts";
import { drain } from "../../support/talkers.ts";

const SECOND: Paper = {
  id: "odd",
  title: 'Odd: "ends", tabs\tand <b>',
  text: "---\nIt begins like a page.\n\n\n  Ends odd. “Quoted words stand here.” \u{1F333}\n",
};

const SETTINGS: PaperSettings = {
  papers: [TREES, SECOND],
  crossExamine: true,
  rubric: OWN_RUBRIC,
  pick: 4,
  count: 2,
  paperCharacters: { questions: 60, postures: 50, debaters: 40 },
  language: "Spanish",
  temperature: 0.2,
  judgeTemperature: 0.9,
  argumentMaxTokens: 999,
};
withFolder.test("A debate with everything that failed is read from disk and resumed to the result of an uninterrupted run", async (out) => {
  const calm = paperTalker();
  const whole = await drain(paperDebateOf(calm, SETTINGS).workflow);
  const expected = (whole.result!.value as PaperDebateOutcome).report!;
  for (const at of ["postures", "argument/debater-b", "score/4/judge", "report"]) {
    const stop = new AbortController();
    const agent = paperTalker(({ context: { key } }) => {
      if (key !== at) return undefined;
      if (at.startsWith("argument") || at.startsWith("score")) return void stop.abort();
      throw new AgentError("agent_auth", "Cannot log in", { status: 401 });
    });
    const first = await drain(
      paperDebateOf(agent, {
        ...SETTINGS,
        signal: stop.signal,
        record: folderRecord({ out: `${out}/${at.replaceAll("/", "_")}` }),
      }).workflow,
    );
    assert.equal(first.events.at(-1)!.type, "convening-end", at);
    const stopped = stop.signal.aborted ? ["stopped", "cancelled"] : [undefined, undefined];
    assert.deepEqual([first.result?.status, first.result?.endReason], stopped, at);
    const dir = first.result?.dir ?? (first.error as AgentError).dir!;
    const again = paperTalker();
    const resumed = await resume(dir, { agents: agentsOf(again, SETTINGS.count) });
    const result = await resumed.run();
    assert.equal(result.status, "completed", at);
    const report = JSON.parse(await Deno.readTextFile(`${dir}/report.json`));
    assert.deepEqual(report, JSON.parse(JSON.stringify(expected)), at);
    assert.deepEqual((await verify(dir)).findings, [], at);
    const asked = (talker: typeof calm, key: string) => {
      const { messages, maxTokens, temperature } = talker.asked(key);
      return { messages, maxTokens, temperature };
    };
    for (const key of new Set(again.keys)) {
      assert.deepEqual(asked(again, key), asked(calm, key), `${key} after ${at}`);
    }
    const { start } = await openConvening(dir);
    assert.deepEqual(
      start.papers,
      whole.events.flatMap((event) =>
        event.type === "convening-start" ? [event.start.papers] : []
      )[0],
    );
  }
});

function agentsOf(agent: Agent, count = 3): Record<string, Agent> {
  const debaters = ["a", "b", "c"].slice(0, count).map((id) => `debater-${id}`);
  const ids = ["questioner", ...debaters, "reporter", "judge"];
  return Object.fromEntries(ids.map((id) => [id, agent]));
}
