// Errors of command lines: messages, exit codes, help.
import assert from "node:assert/strict";
import { join } from "@std/path";
import { loadModule } from "../../src/cli/load_module.ts";
import { COMMANDS } from "../../src/cli/main.ts";
import { jsonOf, namesIn, withFolder } from "../support/cli.ts";
import { ran, runMain } from "../support/run_main.ts";
import { TOPIC } from "../support/talkers.ts";

/** Invalid command lines with the expected error; nothing is written. */
const REFUSED: readonly (readonly [readonly string[], RegExp])[] = [
  [["--quiet"], /no command/],
  [["debat", TOPIC], /Did you mean debate/],
  [["show", "latest", "--facts=true"], /Did you mean --facts\?/],
  [["topics"], /missing required argument 'subject'(?![^]*Did you mean)/],
  [["topics", "museums", "of", "Paris"], /Put several words in straight quotes/],
  [["topics", "cars", "--temperature", "3"], /^(?!.*characters).*--temperature: 3 /],
  [
    ["debate", "--topic-from", "cars", "--temperature", "3"],
    /^(?!.*characters).*--temperature: 3 /,
  ],
  [["debate", TOPIC, "--fromat", "casual"], /Did you mean --format/],
  [["debate", TOPIC, "--judges", "3"], /Did you mean --judge-model/],
  [["list", "--hepl"], /Did you mean --help/],
  [["–help"], /unknown option '–help'.*Did you mean --help\?/],
  [["debate", TOPIC, "–rounds=3", "−−json"], /–rounds: Did you mean --rounds\?.*--json\?/],
  [["debate", TOPIC, "\u00a0--rounds", "3"], /Did you mean --rounds\?/],
  [["debate", "“Should", "cities", "pay?”"], /Put several words in straight quotes/],
  [["ask", "latest", "-who pays?"], /Put -- before a text that begins with a dash/],
  [["dialogue", TOPIC, "--rounds", "3"], /unknown option '--rounds'(?![^]*Did you mean)/],
  [["debate", TOPIC, "--format", "loud"], /formal, casual, educational, competitive/],
  [["debate"], /no topic/],
  [["debate", "short"], /10 to 200/],
  [["debate", "A topic \x1b[31mwith colour"], /control characters/],
  [["debate", "Should", "cities", "ban", "cars"], /in straight quotes/],
  [["ask", "latest", "Who", "pays?"], /in straight quotes/],
  [["debate", TOPIC, "--position", "Only one"], /--position/],
  [["debate", TOPIC, "--rounds", "-1"], /--rounds.*without a sign/s],
  [
    ["debate", TOPIC, "--words", "100-2000"],
    /--words: 100 .*; --words: 2000 .*--words: Give at most/,
  ],
  [["debate", TOPIC, "--guard", "length=wrn"], /Cannot use --guard: .*Did you mean/],
  [["debate", TOPIC, "--allow-base-url", "my host"], /--allow-base-url: .*Write HOST/],
  [
    ["debate", TOPIC, "--advocate-model", "a", "--advocate-model", "b", "--advocate-model", "c"],
    /2 advocates/,
  ],
  [["debate", TOPIC, "--model", "gpt-4o"], /OPENAI_API_KEY/],
  [["debate", TOPIC, "--model", "replay:nowhere"], /nowhere: no convening is there/],
  [["debate", TOPIC, "--config", "missing.yaml"], /missing\.yaml/],
  [["debate", TOPIC, "--config", "bad.yaml"], /rounds/],
  [["help", "debat"], /unknown command 'debat'.*Did you mean debate/],
  [["delete", "nowhere"], /Give an id from the list of convenings/],
  [["restore", "nowhere"], /not in the trash.*list with folder trash/],
  [["restore", "2026-01-01"], /list --folder trash prints the ids/],
  [["study", "worker", "--concurrency", "0"], /'--concurrency'(?![^]*Did you mean)/],
  [["resume"], /argument/],
  [
    ["study", "retry", "tea", "--failed"],
    /unknown option '--failed'[^]*retry runs failed .* no flag/,
  ],
  [["list", "--json=1"], /unknown option '--json=1'.*Did you mean --json\?/],
  [["resume", "nowhere"], /nowhere/],
  [["verify", "."], /no convening/],
  [["show", "nowhere", "three"], /Cannot use \[seq\]: \\?"three/],
  [["paper", "p.md", "--embedding-model", "foo"], /--embedding-model \\"foo\\".*retrieval/],
  [["export", "nowhere"], /--format/],
  [["debate", TOPIC, "--preset", "duel"], /alternating, pro-con, oxford, self-play/],
  [["debate", TOPIC, "--preset", "alternating", "--simultaneous"], /--simultaneous with exchange/],
  [
    ["debate", TOPIC, "--preset", "alternating", "--moderator-model", "m"],
    /--moderator-model \\"m\\": /,
  ],
  [["debate", TOPIC, "--moderation", "none", "--interrupt", "rules"], /--interrupt \\"rules\\"/],
  [["debate", TOPIC, "--interrupt", "facts"], /claims are not checked; see --fact-check/],
  [
    ["debate", TOPIC, "--fact-check", "off", "--search-url", "http://127.0.0.1:1"],
    /--search-url .* with --fact-check .*off.*or leave it out/,
  ],
  [
    ["debate", TOPIC, "--moderation", "none", "--moderator-model", "m", "--note-model", "n"],
    /see --moderation; .*see --flow.*"--moderator-model, --note-model: Leave it out, [^:]*"/,
  ],
  [
    ["debate", TOPIC, "--tiebreak-model", "m", "--decision", "audience"],
    /--tiebreak-model .* with --decision /,
  ],
  [["consensus", TOPIC, "--participant", "A"], /--participant: a list of 1 item is not allowed/],
  [["debate", TOPIC, "--persona", "nobody-known"], /scientist, philosopher/],
  [["debate", TOPIC, "--persona", "Zoe=lawyer"], /Who speaks: Advocate A, Advocate B/],
  [
    ["debate", TOPIC, "--persona", "lawyer", "--persona", "lawyer", "--persona", "lawyer"],
    /everyone who speaks has one/,
  ],
  [
    ["debate", TOPIC, "--persona", "advocate-a=lawyer", "--persona", "Advocate A=engineer"],
    /was given one already/,
  ],
  [["debate", TOPIC, "--persona", "missing.yaml"], /missing\.yaml/],
  [["debate", "short", "--rounds", "5000"], /--rounds: 5000 .*; the topic: it has 5 characters/],
  [["debate", TOPIC, "--model", "m with seed", "--seed", "1"], /"m with seed\\": OPENAI_API_KEY/],
  [
    ["debate", TOPIC, "--rounds", "2x", "--format", "formel", "--pick", "--preset"],
    /arguments: --rounds: .*; --format: .*; --pick: it has no value.*--format: Did you mean/,
  ],
  [
    ["debate", TOPIC, "--rounds", "2x", "--fromat", "casual"],
    /arguments: --rounds: .*; unknown option '--fromat'.*--fromat: Did you mean --format/,
  ],
  [
    ["debate", TOPIC, "--fromat=casual", "--seed", "-5", "--foo"],
    /option '--fromat'; unknown option '--foo'.*--fromat: Did you mean --format\?.*--foo: --help/,
  ],
  [
    ["debate", TOPIC, "--persona", "-very strict", "--fromat=casual", "-I don't know"],
    /: unknown option '--fromat'; unknown option '-I don't know'"/,
  ],
  [["topics", "--n", "x"], /arguments: --n: .*; missing required argument 'subject'/],
  [["debate", TOPIC, "--pick", "2"], /--topic-from/],
  [["debate", TOPIC, "--topic-from", "city traffic"], /--topic-from: the topic/],
  [["debate", "--topic-from", "city traffic", "--dry-run"], /--dry-run/],
  [["debate", "--topic-from", ""], /--topic-from/],
  [["debate", TOPIC, "--judge-model", ""], /--judge-model/],
  [["debate", TOPIC, "--transcript", ""], /--transcript: .* is not allowed/],
  [["demo", "--port", "0"], /--port: nothing is served/],
  [["demo", "--open", "--pace", "100"], /--pace: the record is served/],
  [["demo", "--open", "--host", "0.0.0.0"], /Set CONVENINGS_TOKEN/],
  [["debate", TOPIC, "--prompts"], /without --dry-run/],
  [["debate", TOPIC, "--model", "client"], /next_turn/],
  [["debate", "--topic-from", "city traffic", "--pick", "0"], /--pick 0: topics count from 1/],
  [["ask", "nowhere", "cars", "--base-url", "http://127.0.0.1:1"], /--base-url: no model is asked/],
  [["debate", TOPIC, "--advocate-model", "a", "--advocate-model", " "], /--advocate-model/],
  [["dialogue", TOPIC, "--moderator-model", "m"], /--moderator-model.*no moderator/],
  [["consensus", TOPIC, "--preset", "oxford"], /--preset/],
  [["topics", "city traffic", "--n", "0"], /Cannot use --n: 0.*from 1 to 50/],
  [["search", "cars", "--limit", "0"], /--limit/],
  [["ask", "nowhere", ""], /question/],
  [["paper"], /no paper was given/],
  [["paper", "missing.pdf"], /missing\.pdf.*no such file/],
  [["paper", "bad.yaml", "missing.md"], /missing\.md.*no such file/],
  [
    ["paper", "bad.yaml", "--question", "How far does it reach?", "--pick", "1"],
    /--pick 1: the question was given/,
  ],
  [
    ["paper", "bad.yaml", "--retrieval", "semantic", "--model", "offline", "--dry-run"],
    /OPENAI_API_KEY is not set/,
  ],
  [["paper", "bad.yaml", "--question", "Why?"], /10 to 1,000/],
  [["paper", "bad.yaml", "--persona", "Zoe=lawyer"], /Who speaks: Debater A, Debater B, Debater C/],
  [["paper", "bad.yaml", "--advocate-model", "m"], /--advocate-model/],
  [["paper", "bad.yaml", "--config", "bad.yaml"], /rounds/],
  [["paper", "questions", "bad.yaml", "--postures", "3"], /--postures: questions alone/],
  [["paper", "questions", "bad.yaml", "--model", "human"], /a person or a client is to answer/],
  [["paper", "questions", "bad.yaml", "--out", "x"], /--out: questions alone/],
  [["say", "nowhere"], /nowhere/],
  [["say", "nowhere", "--interject", "--as", "Ada"], /--as Ada/],
  [["show", "nowhere", "--private"], /--private.*number/],
  [["fork", "nowhere"], /--at/],
  ...["index", "judge", "pause", "show", "watch"].map((command) =>
    [[command, "nowhere"], /nowhere/] as const
  ),
  [["fork", "nowhere", "--at", "1"], /nowhere/],
  [["export", "nowhere", "--format", "md"], /nowhere/],
  [["debate", TOPIC, "--rounds"], /--rounds/],
  [["debate", TOPIC, "--out", "--rounds", "3"], /--out/],
  [["debate", TOPIC, "--personas", "missing"], /missing/],
  [["debate", TOPIC, "--rubric", "missing.yaml"], /missing\.yaml/],
  [["topics", " "], /subject/],
  [["search", ""], /Cannot use <text>/],
  [["paper", ""], /no paper was given/],
];

for (const [args, says] of REFUSED) {
  withFolder.test(`main() rejects ${JSON.stringify(args).slice(0, 90)} with exit 2`, async (folder) => {
    await Deno.writeTextFile(join(folder, "bad.yaml"), "rounds: 3\n");
    const end = await ran([...args, "--json"], { folder }, 2);
    const { error } = jsonOf(end);
    const { code, message } = error as Record<string, unknown>;
    assert.match(
      String(code),
      /^(config_invalid|topic_refused|turn_order|not_found|paper_unreadable)$/,
    );
    assert.match(JSON.stringify(error), says);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(end.stderr, /\x1b/);
    assert.equal(end.stderr.split("\n")[0], `error: ${message}`);
    assert.deepEqual(await namesIn(folder), ["bad.yaml"]);
  });
}

withFolder.test("a text after -- may look like a flag", async (folder) => {
  const { stderr } = await runMain(["debate", "--", "–help"], { folder });
  assert.match(stderr, /Cannot use the topic: it has 5 characters/);
});

Deno.test("a program without its modules, such as a bundle, says so", async () => {
  const url = import.meta.resolve("./no_such_module.ts");
  await assert.rejects(loadModule(url), { code: "not_found", message: /modules .* are missing/ });
});

withFolder.test("main() prints nothing on standard output for an error without --json", async (folder) => {
  const end = await runMain(["debate", "short"], { folder });
  assert.equal(end.stdout, "");
  assert.doesNotMatch(end.stderr, /\n\s+at /);
  const debug = await runMain(["debate", "short", "--debug"], { folder });
  assert.match(debug.stderr, /\n\s+at /);
});

withFolder.test("main() prints help", async (folder) => {
  const help = await ran(["--help"], { folder });
  const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  assert.deepEqual(commands, COMMANDS.map(({ name }) => name).concat("help"));
  const debate = await ran(["debate", "--help"], { folder });
  assert.match(debate.stdout, /--max-cost <usd>/);
  assert.deepEqual(await ran(["help", "debate"], { folder }), debate);
  assert.deepEqual(await ran(["debate", "-h"], { folder }), debate);
  assert.deepEqual(await ran(["help"], { folder }), help);
  assert.deepEqual(await ran(["help", "help"], { folder }), help);
  for (const args of [["help", "--json"], ["--json", "help"]]) {
    assert.equal(jsonOf(await ran(args, { folder }))["help"], help.stdout.trim());
  }
  const list = await ran(["list", "--help"], { folder });
  assert.match(
    list.stdout.replaceAll(/\s+/g, " "),
    /: newest, oldest, cost, messages \(default: newest\)/,
  );
  for (const words of [[], ["list"]]) {
    const version = await ran([...words, "--version", "--json"], { folder });
    assert.match(String(jsonOf(version)["version"]), /^\d/);
  }
});

withFolder.test("main() reads the words after -- as the topic", async (folder) => {
  const end = await ran(["debate", "--dry-run", "--", "--json is a fine format?"], { folder });
  assert.match(end.stdout, /^debate on: --json is a fine format\?\n/);
});
