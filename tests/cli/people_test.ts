// People in convenings: waiting runs, `say`, interjections.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { folderRecord, openConvening } from "../../mod.ts";
import type { OpenRecord } from "../../src/core/record.ts";
import { rubricNamed } from "../../src/judging/scoring.ts";
import { jsonOf, namesIn, runCli, withFolder } from "../support/cli.ts";
import { startModelServer } from "../support/model_server.ts";
import { ran, runMain, startMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";
import { serveLocally } from "../support/local_server.ts";

/** A dialogue of a person and the offline agent: the person has the first and third turn. */
const DIALOGUE = [
  ...["dialogue", TOPIC, "--participant", "Ada=human", "--participant", "Ben=offline"],
  ...["--max-turns", "4", "--seed", "1"],
];

/** Starts a dialogue that waits for Ada's first turn; returns its directory. */
async function waiting(folder: string): Promise<string> {
  return String(jsonOf(await runMain([...DIALOGUE, "--json"], { folder }))["dir"]);
}

async function bodies(dir: string, folder: string): Promise<string[]> {
  const names = await namesIn(join(dir, "messages"));
  return await Promise.all(names.map(async (_name, at) => {
    const end = await runMain(["show", dir, String(at + 1), "--json"], { folder });
    return String((jsonOf(end)["message"] as Record<string, unknown>)["body"]);
  }));
}

withFolder.test("a person's turn without a terminal leaves the run waiting with exit 4 and the command to answer, and say out of turn names whose turn it is and changes nothing", async (folder) => {
  const { code, stderr: shown, stdout } = await runMain([...DIALOGUE, "--json"], { folder });
  assert.equal(code, 4, shown);
  const { dir: path, status, endReason, waitingFor } = JSON.parse(stdout);
  const dir = String(path);
  assert.deepEqual([status, endReason], ["waiting", null]);
  assert.deepEqual(waitingFor, [{ participant: "ada", turn: "turn-1/ada" }]);
  const told = await ran(["resume", dir], { folder }, 4);
  assert.match(told.stdout, /^Waiting for: Ada\n/);
  assert.ok(told.stdout.includes(`convenings say ${dir} --as ada --file FILE\n`));
  const options = { folder, stdin: "Me first.\n" };
  const wrong = await ran(["say", dir, "--as", "Ben", "--json"], options, 2);
  const { error, status: still } = jsonOf(wrong);
  const { code: problem, hint } = error as Record<string, unknown>;
  assert.deepEqual([problem, still], ["turn_order", "waiting"]);
  assert.match(String(hint), /turn of Ada/);
  const { stderr } = await ran(["say", dir, "--as", "Benn"], options, 2);
  assert.match(stderr, /^error: Cannot let "Benn" speak in .*: no participant has this name\n/);
  assert.match(stderr, /It is the turn of Ada/);
  await ran(["say", dir], { folder, stdin: " \n" }, 2);
  const control = await runMain(["say", dir], { folder, stdin: "bell \x07 rings\n" });
  assert.match(control.stderr, /control characters/);
  const latin = await runCli(["say", dir], {
    folder,
    stdin: Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
  });
  assert.match(
    latin.stderr,
    /bytes that are not UTF-8\nSet .*, convert the text, or give .* with --file/,
  );
  assert.ok(!(await namesIn(dir)).includes("messages"));
  await ran(["verify", dir], { folder });
});

withFolder.test("say reads a file or standard input, continues the run, which waits again and ends", async (folder) => {
  const dir = await waiting(folder);
  await Deno.writeTextFile(join(folder, "first.md"), "Cars need room that people need more.\n");
  const first = await ran(["say", dir, "--file", "first.md", "--json"], { folder }, 4);
  const json = jsonOf(first);
  assert.equal(json["status"], "waiting");
  assert.equal(json["participant"], "ada");
  assert.equal(json["left"], false);
  assert.match(first.stderr, /^2 · dialogue 1 · Ben/m);
  const twice = await runMain(["say", dir, "A word.", "--file", "first.md"], { folder });
  assert.match(twice.stderr, /Cannot use --file: the text is an argument already/);
  await ran(["say", dir, "--as", "Ada"], {
    folder,
    stdin: "A bus carries more than a road of cars.\n",
  });
  const said = await bodies(dir, folder);
  assert.equal(said[0], "Cars need room that people need more.");
  assert.equal(said[2], "A bus carries more than a road of cars.");
  assert.equal(said.length, 4);
  await ran(["verify", dir], { folder });
});

withFolder.test("resume --timeout sets the wait for a person, and resume rejects a search when nothing is checked", async (folder) => {
  const dir = await waiting(folder);
  const run = startMain(["resume", dir, "--timeout", "60s", "--json"], { folder });
  await run.saw("waiting for Ada");
  await ran(["say", dir, "--as", "ada"], { folder, stdin: "Streets are for people.\n" });
  await run.saw("\n2 · ");
  await ran(["pause", dir], { folder });
  assert.equal(jsonOf(await run.end)["status"], "paused");
  const search = await ran(["resume", dir, "--search-url", "http://127.0.0.1:1"], { folder }, 2);
  assert.match(search.stderr, /--search-url http.*: this convening checks no claims/);
  const judges = await ran(["resume", dir, "--judge-model", "m", "--json"], { folder }, 2);
  assert.match(judges.stderr, /--judge-model: this is not a debate/);
  const refused = jsonOf(judges);
  assert.deepEqual([refused["dir"], refused["status"]], [dir, "failed"]);
});

withFolder.test("a person debates: an advocate's and the moderator's turns are awaited by name", async (folder) => {
  const end = await ran(
    [
      ...["debate", TOPIC, "--rounds", "0", "--advocate-model", "offline"],
      ...["--advocate-model", "human", "--moderator-model", "human", "--judge-model", "offline"],
      ...["--json", "--quiet"],
    ],
    { folder },
    4,
  );
  const dir = String(jsonOf(end)["dir"]);
  assert.deepEqual(jsonOf(end)["waitingFor"], [
    { participant: "advocate-b", turn: "opening/advocate-b" },
  ]);
  const texts = ["Cars carry what buses do not.", "Leave people the choice of how to travel."];
  for (const text of texts) {
    await ran(["say", dir, "--as", "advocate b", "--quiet"], { folder, stdin: text }, 4);
  }
  const last = await ran(["say", dir, "--as", "Moderator", "--json", "--quiet"], {
    folder,
    stdin: "Both sides spoke of choice and of room.",
  });
  assert.equal(jsonOf(last)["status"], "completed");
  await ran(["verify", dir], { folder });
});

withFolder.test("say leaves the words though another process takes the convening before say resumes it", async (folder) => {
  let other: OpenRecord | undefined;
  let dir = "";
  const server = serveLocally(async () => {
    if (dir !== "") other ??= await folderRecord({ dir }).open((await openConvening(dir)).start);
    return Response.json({ data: [{ id: "m" }] });
  });
  const model = ["--model", "m", "--base-url", `http://127.0.0.1:${server.addr.port}/v1`];
  const people = ["--participant", "Ada=human", "--participant", "Ben", "--json"];
  try {
    const end = await ran(["dialogue", TOPIC, ...model, ...people], { folder }, 4);
    dir = String(jsonOf(end)["dir"]);
    const said = await ran(["say", dir, "Streets are for people.", "--json"], { folder });
    assert.partialDeepStrictEqual(jsonOf(said), {
      status: "waiting",
      participant: "ada",
      left: true,
    });
    const again = await ran(["say", dir, "Streets, I said."], { folder }, 2);
    assert.match(again.stderr, /words for this turn were already given/);
  } finally {
    await other?.close();
    await server.shutdown();
  }
});

withFolder.test("a person learns why a guard rejected the words, in JSON, in the next question and at a terminal", async (folder) => {
  const strict = [...DIALOGUE, "--guard", "length=reject", "--words", "200-300", "--json"];
  const { dir } = jsonOf(await runMain(strict, { folder }));
  const said = await ran(["say", String(dir), "Too short.", "--json"], { folder }, 4);
  const [{ rejected = "" } = {}] = jsonOf(said)["waitingFor"] as Record<string, string>[];
  assert.match(rejected, /^The reply had 2 words/);
  const asked = `What you wrote was rejected: ${rejected}`;
  assert.ok((await ran(["resume", String(dir)], { folder }, 4)).stderr.includes(asked));
  const shown = jsonOf(await ran(["show", String(dir), "--json"], { folder }));
  assert.deepEqual(shown["waitingFor"], [{ participant: "ada", turn: "turn-1/ada", rejected }]);
  const typed = { folder, typed: true, stdin: "Short again.\n.\n" };
  const { stderr } = await runMain(["resume", String(dir)], typed);
  assert.ok(stderr.includes(asked), stderr);
});

withFolder.test("an id is the participant's, also if it is the name of another", async (folder) => {
  const participants = [{ id: "b", name: "Ann" }, { id: "ann", name: "Bob" }];
  const config = { topic: TOPIC, model: "human", moderatorModel: "offline", participants };
  await Deno.writeTextFile(join(folder, "talk.yaml"), JSON.stringify(config));
  const end = await ran(["consensus", "--config", "talk.yaml", "--json"], { folder }, 4);
  const { dir, waitingFor } = jsonOf(end);
  const waited = ["b", "ann"].map((participant) => ({
    participant,
    turn: `proposals/${participant}`,
  }));
  assert.deepEqual(waitingFor, waited);
  const words = ["say", String(dir), "proposals: Ban cars at noon.", "--json", "--as"];
  for (const [as, participant] of [["ANN", "ann"], ["b", "b"]]) {
    const said = await ran([...words, as!], { folder }, 4);
    assert.equal(jsonOf(said)["participant"], participant);
  }
});

withFolder.test("a human judge with several open scores is named once, with their number, and needs no --as", async (folder) => {
  const end = await ran(
    [
      ...["debate", TOPIC, "--rounds", "0", "--model", "offline", "--judge-model", "human"],
      "--quiet",
    ],
    { folder },
    4,
  );
  assert.match(end.stdout, /^Waiting for: Judge \(\d answers, one at a time\)$/m);
  assert.equal(end.stdout.split(" --as judge --file FILE").length, 2, end.stdout);
  const dir = String(/say (\S+) --as/.exec(end.stdout)?.[1]);
  const wrong = await ran(["say", dir, "--as", "Ben", "--json"], { folder, stdin: "Mine." }, 2);
  assert.match(wrong.stderr, /^It is the turn of Judge \(judge\)\.$/m);
  const scales = /Write a line for each of these, .*- reasons: text - \w+: number 0 to 10 \(/;
  const asked = await ran(["resume", dir], { folder }, 4);
  assert.match(asked.stderr, scales);
  const log = await Deno.readTextFile(join(dir, "log.jsonl"));
  // A person sees the task alone, without the description of the rubric.
  assert.doesNotMatch(log, /criteria above|those above/);
  const index = await Deno.readTextFile(join(dir, "index.md"));
  assert.match(index, /^- Waiting for Judge \(turn score\//m);
  const brief = await ran(["brief", dir], { folder }, 2);
  assert.match(brief.stderr, /waits for a person: say the turn first\.$/m);
  // Only the question that the next words answer is shown whole; the others have a line each.
  assert.equal(asked.stderr.match(/^waiting for Judge: /gm)?.length, 1, asked.stderr);
  const after = asked.stderr.match(/^waiting for Judge after that: .*$/gm) ?? [];
  assert.ok(after.length > 1 && after.every((line) => line.length < 180), asked.stderr);
  const atTerminal = await ran(["say", dir], { folder, typed: true, stdin: " " }, 2);
  assert.deepEqual(atTerminal.stderr.match(/^waiting for Judge after that: .*$/gm), after);
  assert.match(atTerminal.stderr, /^waiting for Judge: /m);
  const key = await ran(["say", dir], { folder, typed: true, stdin: "\x1b[A" }, 2);
  assert.match(key.stderr, /it contains no words/);
  const cut = { folder, typed: true, stdin: `${"7".repeat(4095)}\n` };
  assert.match(
    (await ran(["say", dir], cut, 2)).stderr,
    /the terminal cut a line after 4,095 bytes/,
  );
  const unread = await ran(["say", dir], { folder, stdin: "No numbers." }, 4);
  assert.match(unread.stderr, /could not be read: No line begins with a name and a colon\./);
  // The unread question now stands last: the words are for the first.
  const waits = async (): Promise<readonly string[]> =>
    (await Deno.readTextFile(join(dir, "metadata.md"))).match(/(?<=judge, turn: )[^ ]+/g) ?? [];
  const [first, ...others] = await waits();
  // The order of questions that are asked at once is not known.
  const lines = first!.startsWith("score/")
    ? rubricNamed("debate").criteria.map(({ id }) => `- ${id}: 7`)
    : ["winner: tie"];
  const stdin = ["Reasons: Strength: clear.", "Gap: no figures.", ...lines].join("\n");
  await ran(["say", dir, "--file", "/dev/stdin"], { folder, stdin }, 4);
  const left = await waits();
  assert.ok(!left.includes(first!), `${first} in ${left}`);
  assert.deepEqual(others.filter((each) => !left.includes(each)), []);
});

withFolder.test("a listener has a name in what is shown, and say takes the name", async (folder) => {
  const audience = [{ model: "human" }, { name: "Zoe", model: "human" }, { model: "offline" }];
  await Deno.writeTextFile(join(folder, "seats.json"), JSON.stringify({ audience }));
  const { stdout } = await ran(
    ["debate", TOPIC, "--config", "seats.json", "--model", "offline", "--rounds", "0"],
    { folder },
    4,
  );
  assert.match(stdout, /^Waiting for: Listener 1, Zoe$/m);
  const dir = String(/say (\S+) --as/.exec(stdout)?.[1]);
  const index = await Deno.readTextFile(join(dir, "index.md"));
  // A person says what the person holds before anything can be read.
  assert.match(index, /^- Status: \*\*.*\*\*, 0 messages$/m);
  assert.match(index, /^- Waiting for Zoe \(turn stance\/before\/listener-2\)\.$/m);
  const all = await ran(["say", dir], { folder, stdin: "agree" }, 2);
  assert.match(all.stderr, /^It is the turn of Listener 1 \(listener-1\), Zoe \(listener-2\)\.$/m);
  const third = await ran(["say", dir, "--as", "listener 3"], { folder, stdin: "agree" }, 2);
  assert.match(third.stderr, /it is not their turn/);
  const stdin = "Reasons: Room.\nAdvocate A: agree 0,8\nAdvocate B: disagree 0.4";
  const one = await ran(["say", dir, "--as", "Zoe"], { folder, stdin }, 4);
  assert.match(one.stdout, /^Waiting for: Listener 1$/m);
  await ran(["say", dir, "--as", "Listener 1"], { folder, stdin }, 4);
  await ran(["verify", dir], { folder });
});

withFolder.test("A person is shown the task, and that an answer was unreadable", async (folder) => {
  const begun = await ran(
    ["consensus", TOPIC, "--participant", "Ada=human", "--participant", "Ben", "--json"],
    { folder },
    4,
  );
  assert.match(begun.stderr, /^waiting for Ada: Make one or two proposals /m);
  const { dir } = jsonOf(begun);
  const unread = await ran(["say", String(dir)], { folder, stdin: "One.\nTwo.\nThree.\n" }, 4);
  assert.match(
    unread.stderr,
    /^waiting for Ada: What you wrote could not be read: proposals: .* two proposals /m,
  );
  const read = await ran(["say", String(dir)], { folder, stdin: "Wider pavements.\n" }, 4);
  assert.match(read.stderr, /^waiting for Ada: Where the proposals stand/m);
});

withFolder.test("a remark during the last turn is heard after it, and words for a turn that never came are announced at the end", async (folder) => {
  await using server = await startModelServer({
    respond: async (_request, index) => {
      if (index === 1) {
        const said = await ran(["say", "latest", "And the buses?", "--interject"], { folder });
        assert.match(
          said.stdout,
          /^Saved: it will be heard before the next turn, or after the last$/m,
        );
        const { dir } = jsonOf(await ran(["show", "latest", "--json"], { folder }));
        const say = {
          version: 1,
          type: "say",
          participant: "ada",
          turn: "turn-9/ada",
          text: "I?",
        };
        await Deno.writeTextFile(join(String(dir), ".inbox/word.json"), JSON.stringify(say));
      }
      return {};
    },
  });
  const args = ["dialogue", "What makes a good street?", "--max-turns", "2"];
  const { stderr } = await ran([...args, "--base-url", server.url], { folder });
  assert.match(stderr, /^3 · dialogue 1 · Audience · interjection · .* And the buses\?$/m);
  assert.match(
    stderr,
    /^The convening ended before it heard 1 text that was left for it, in \S+\.inbox\.$/m,
  );
});
