// Invalid values and unknown keys are rejected.
import assert from "node:assert/strict";
import { withValue } from "./support/key_case.ts";
import { type Kind, KINDS, type Settings, settingsOf } from "./support/holding.ts";
import { type Refusal, testRefusals } from "./support/refusals.ts";
import { ConfigurationError, parseConfig } from "../../mod.ts";
import { schemaKeys } from "./support/schema_keys.ts";
import { wholeSettings } from "./support/whole.ts";

/** Values out of range: kind, key, value, allowed values. */
const OUT_OF_RANGE: readonly (readonly [Kind, string, unknown, RegExp])[] = [
  ["dialogue", "topic", 7, /a text/],
  ["dialogue", "model", "", /at least 1|not empty/],
  ["dialogue", "baseUrl", "ftp://example.org", /URL/],
  ["dialogue", "participants", [{ name: "Ada" }], /at least 2/],
  ["dialogue", "participants/0/id", "../x", /letters, digits/],
  ["dialogue", "participants/0/name", "", /at least 1|not empty/],
  ["dialogue", "participants/0/role", "Not Snake", /snake_case/],
  ["dialogue", "participants", "", /^Give a list\.$/],
  ["dialogue", "participants/0/name", [], /^Give a text\.$/],
  ["dialogue", "language", "x".repeat(2001), /^Give at most 100 characters\.$/],
  ["dialogue", "participants/0/temperature", 2.1, /at most 2/],
  ["dialogue", "temperature", -0.1, /at least 0/],
  ["dialogue", "temperature", "warm", /number/],
  ["dialogue", "seed", 4294967296, /at most 4294967295/],
  ["dialogue", "seed", -1, /at least 0/],
  ["dialogue", "seed", 1.5, /whole number/],
  ["dialogue", "seedGiven", "yes", /true or false/],
  ["dialogue", "out", "", /at least 1|not empty/],
  ["dialogue", "limits/maxTurns", 0, /at least 1|not empty/],
  ["dialogue", "limits/maxDuration", 0, /more than 0/],
  ["dialogue", "limits/maxTokens", 0.5, /whole number/],
  ["dialogue", "limits/maxCost", -1, /more than 0/],
  ["dialogue", "maxPromptTokens", -1, /at least 0/],
  ["dialogue", "sources", [""], /at least 1|not empty/],
  ["dialogue", "sourceTokens", -1, /at least 0/],
  ["dialogue", "transcript", ["pdf"], /md.*json.*txt.*html/],
  ["dialogue", "words", { min: 199, max: 400 }, /at least 200/],
  ["dialogue", "words", { min: 200, max: 1001 }, /at most 1000/],
  ["dialogue", "words", { min: 500, max: 400 }, /min may not be over max/],
  ["dialogue", "turnMaxDuration", 0, /more than 0/],
  ["dialogue", "turnMaxDuration", 2 ** 31, /at most 2147483647/],
  ["dialogue", "personTimeout", -1, /at least 0/],
  ["dialogue", "personTimeout", 2 ** 31, /at most 2147483647/],
  ["dialogue", "idleTimeout", 0, /more than 0/],
  ["dialogue", "retry/maxWait", "5s", /a number of milliseconds/],
  ["dialogue", "totalTimeout", 0, /more than 0/],
  ["dialogue", "maxReplyBytes", 999, /at least 1000/],
  ["dialogue", "refusedTerms", [""], /at least 1|not empty/],
  ["dialogue", "prompts", { opening: 7 }, /a text/],
  ["dialogue", "prices", { date: "yesterday", models: {} }, /a day such as/],
  [
    "dialogue",
    "prices",
    { date: "2026-11-01", models: { m: { input: -1, output: 1 } } },
    /at least 0/,
  ],
  ["dialogue", "prices", { date: "2026-11-01", models: { m: { input: 1 } } }, /number/],
  ["dialogue", "providers", { local: { baseUrl: "nowhere" } }, /URL/],
  [
    "dialogue",
    "providers",
    { local: { baseUrl: "http://x", apiKeyEnv: "1 KEY" } },
    /letters, digits/,
  ],
  ["dialogue", "providers/Odd Name", { baseUrl: "http://x" }, /^a provider's name has small/],
  ["dialogue", "retry/retries", 11, /at most 10/],
  ["dialogue", "retry/minWait", -1, /at least 0/],
  ["dialogue", "guards/length", "loud", /off, warn, reject/],
  ["dialogue", "guards/repetition", "loud", /^Give off, warn, reject, or keys and values: mode/],
  ["dialogue", "factCheck", "standard", /^Give keys and values: mode, maxClaims, /],
  ["dialogue", "guards/repetition", "wran", /^Did you mean "warn"\? Give off, warn, reject, or /],
  ["dialogue", "guards/repetition", { threshold: 1.1 }, /at most 1/],
  ["dialogue", "guards/coherence", { threshold: -0.1 }, /at least 0/],
  ["dialogue", "guards/coherence/threshold", "lax", /number.*strict/],
  ["dialogue", "guards/refusedTerms/mode", "loud", /^Allowed: off, warn, reject$/],
  [
    "debate",
    "rubric",
    { id: "own", scale: [0, 10], criteria: [], anchors: [] },
    /at least 1|not empty/,
  ],
  [
    "debate",
    "rubric",
    {
      id: "own",
      scale: [0, 10],
      criteria: [{ id: "a", weight: -1, description: "A." }],
      anchors: [{ from: 0, means: "None." }],
    },
    /more than 0|at least 0/,
  ],
  ["dialogue", "factCheck/mode", "lax", /off, standard, strict/],
  ["dialogue", "factCheck/maxClaims", 6, /at most 5/],
  ["dialogue", "factCheck/maxClaims", 0, /at least 1|not empty/],
  ["dialogue", "factCheck/searchUrl", "not a url", /URL/],
  ["dialogue", "factCheck/searchUrl", "file:///etc", /URL/],
  ["dialogue", "maxTurns", 0, /at least 1|not empty/],
  ["dialogue", "maxTokensPerTurn", 0, /at least 1|not empty/],
  ["dialogue", "select", "loudest", /round-robin, moderator, bids/],
  ["consensus", "threshold", 1.1, /at most 1/],
  ["consensus", "threshold", -0.1, /at least 0/],
  ["consensus", "stableTurns", 0, /at least 1|not empty/],
  ["consensus", "stableTurns", 1.5, /whole number/],
  ["consensus", "stableTurns", 1001, /at most 1000/],
  ["debate", "positions", ["Trams"], /at least 2/],
  ["debate", "judges", [], /at least 1|not empty/],
  ["debate", "judges", [{ temperature: 3 }], /at most 2/],
  ["debate", "judges", [{ id: "../x" }], /letters, digits/],
  ["debate", "judgeTemperature", 3, /at most 2/],
  ["debate", "verdictRepeats", 10, /at most 9/],
  ["debate", "tiebreakModel", "", /at least 1|not empty/],
  ["debate", "preset", "parliament", /alternating, pro-con, oxford, self-play/],
  ["debate", "debateFormat", "oxford", /formal, casual, educational, competitive/],
  ["debate", "exchange", "shouts", /rebuttals, clash, alternating, statements/],
  ["debate", "turnForm", "song", /speech, rcr/],
  ["debate", "summaryBy", "nobody", /moderator, judge, none/],
  ["debate", "interruptions", "all", /none, facts, rules, both, format/],
  ["debate", "decision", "dice", /judges, audience/],
  ["debate", "scoreBy", "speaker", /turn, round/],
  ["debate", "pacing", "fast", /sequential, simultaneous/],
  ["debate", "flow", "yes", /true or false/],
  ["debate", "noteModel", "", /at least 1|not empty/],
  ["debate", "closingOrder", "random", /opening, reversed/],
  ["debate", "factCap", "half", /true or false/],
  ["debate", "speakingOrder", "random", /given, drawn/],
  ["debate", "moderation", "strict", /template, model, none/],
  ["debate", "audience", [], /at least 1|not empty/],
  ["debate", "audience", Array.from({ length: 51 }, () => ({})), /at most 50/],
  ["debate", "roundCount", -1, /at least 0/],
  ["debate", "roundCount", 1001, /at most 1000/],
  ["debate", "roundCount", "3", /number/],
  ["debate", "openings", "no", /true or false/],
  ["debate", "adaptive", 1, /true or false/],
  ["debate", "argumentMaxTokens", 0, /at least 1|not empty/],
  ["paper-debate", "papers", [], /at least 1|not empty/],
  ["paper-debate", "papers", [""], /at least 1|not empty/],
  ["paper-debate", "papers", "paper.pdf", /a list/],
  ["paper-debate", "papers", Array.from({ length: 21 }, () => "paper.md"), /at most 20/],
  ["paper-debate", "title", "x".repeat(501), /at most 500/],
  ["paper-debate", "question", "", /at least 1|not empty/],
  ["paper-debate", "question", "x".repeat(1001), /at most 1,000 characters/],
  ["paper-debate", "pick", 0, /at least 1|not empty/],
  ["paper-debate", "pick", 1.5, /whole number/],
  ["paper-debate", "pick", "first", /^Give a number, or ask\.$/],
  ["paper-debate", "postures", 1, /at least 2/],
  ["paper-debate", "postures", 9, /at most 8/],
  ["paper-debate", "postures", 2.5, /whole number/],
  ["paper-debate", "crossExamine", "yes", /true or false/],
  ["paper-debate", "retrieval", "psychic", /keyword, semantic, hybrid/],
  ["paper-debate", "paperCharacters/questions", -1, /at least 0/],
  ["paper-debate", "paperCharacters/debaters", 10_000_001, /at most 10000000/],
  ["paper-debate", "judges", [], /at least 1|not empty/],
  ["paper-debate", "judgeTemperature", 2.1, /at most 2/],
  ["paper-debate", "verdictRepeats", -1, /at least 0/],
  ["paper-debate", "factCap", "half", /true or false/],
  ["paper-debate", "reportMaxTokens", 0, /at least 1|not empty/],
];

/** Returns a value as messages show it; a list or mapping may be shown in part. */
function shown(value: unknown): string {
  if (typeof value === "object") return ".+";
  const text = JSON.stringify(value);
  return RegExp.escape(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}

testRefusals(OUT_OF_RANGE.map(([kind, key, value, allows]): Refusal => {
  const field = key.replaceAll("/", ".");
  return {
    what: `${JSON.stringify(value).slice(0, 60)} for ${field}`,
    kind,
    given: withValue(settingsOf(kind), key, value),
    field: new RegExp(`^${field.replaceAll(".", "\\.")}(\\.|$)`),
    says: new RegExp(
      `^Cannot use (?:${RegExp.escape(field)}\\S*: ${
        shown(value)
      } is not allowed|the configuration: ${RegExp.escape(field)}\\S* is missing)$`,
    ),
    allows,
  };
}));

function refusalOf(settings: Settings): ConfigurationError {
  try {
    parseConfig(settings);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.equal(error.code, "config_invalid");
    assert.ok(error.hint !== undefined && error.hint !== "", error.message);
    return error;
  }
  throw new assert.AssertionError({ message: `Accepted: ${JSON.stringify(settings)}` });
}

/** Returns a concrete key for a path of the schema. */
function keyOf(path: string): string {
  return path.replaceAll("#", "0").replaceAll("*", "odd");
}

for (const kind of KINDS) {
  const whole = wholeSettings(kind);

  Deno.test(`parseConfig() accepts a ${kind} with every list and mapping`, () => {
    assert.deepEqual(parseConfig(whole), whole);
  });

  const paths = schemaKeys(kind);
  Deno.test(`parseConfig() rejects null for any key of a ${kind}: key, value, what is allowed`, () => {
    for (const path of paths) {
      const key = keyOf(path);
      const { field, message } = refusalOf(withValue(whole, key, null));
      assert.equal(field, key.replaceAll("/", "."));
      assert.ok(message.includes(`${field}: null is not allowed`), message);
    }
  });

  const levels = new Set(
    paths.filter((path) => !path.endsWith("*")).map((path) =>
      path.slice(0, Math.max(0, path.lastIndexOf("/")))
    ),
  );
  Deno.test(`parseConfig() rejects an unknown key at any level of a ${kind} and lists the known keys`, () => {
    for (const level of levels) {
      const key = keyOf(level === "" ? "oddKey" : `${level}/oddKey`);
      const { field, message, hint } = refusalOf(withValue(whole, key, 1));
      assert.equal(field, key.replaceAll("/", "."));
      assert.ok(message.includes(`unknown key "${field}"`), message);
      const siblings = schemaKeys(kind).filter((path) =>
        level === "" || path.startsWith(`${level}/`)
      )
        .map((path) => path.slice(level.length).replace(/^\//, "").split("/")[0]!)
        .filter((name) => name !== "");
      for (const name of siblings) assert.ok(hint!.includes(name), `${name}: ${hint}`);
    }
  });
}

Deno.test("parseConfig() says that a key of a part is one of the whole configuration", () => {
  const given = { kind: "debate", topic: "Should towns have trams?" };
  const own = (key: string, part: object) =>
    refusalOf({ ...given, [key]: part }).hint!.split("\n")[0]!;
  const idle = own("providers", { mine: { baseUrl: "http://127.0.0.1:9", idleTimeout: 5 } });
  assert.match(idle, /^idleTimeout is a key of the whole configuration\. Allowed here: baseUrl/);
  const server = own("participants", [
    { name: "Ada", baseUrl: "http://127.0.0.1:9" },
  ]);
  assert.match(server, /Another server is an entry under providers, named in model: NAME:MODEL\./);
});
