// Checks of topics: length, refused terms and abuse.
import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigurationError, TopicError } from "../../src/core/error.ts";
import { checkTopic, checkWords, containsTerm, refusedTermIn } from "../../src/core/topic.ts";
import { withoutUnseen } from "../../src/core/text.ts";
import { anyCharacter } from "../support/any_character.ts";

Deno.test("checkTopic() rejects values other than strings, as untyped code may pass them", () => {
  for (const topic of [null, undefined, 42]) {
    const untyped: unknown = topic;
    assert.throws(() => checkTopic(untyped as string), {
      code: "topic_refused",
      message: /not a string/,
    });
  }
});

Deno.test("checkTopic() returns the trimmed topic", () => {
  assert.equal(checkTopic("  Should cities ban cars? \n"), "Should cities ban cars?");
  for (const topic of ["公交应免费", "電車か自転車か", "원전은 필요한가", "AI取代教师?"]) {
    assert.equal(checkTopic(topic), topic);
  }
});

const refused: [string, string, RegExp][] = [
  ["blank", " \t\n ", /blank/],
  ["of zero-width spaces", "\u200b".repeat(12), /blank/],
  ["nine characters", "123456789", /9 characters, 10 to 200/],
  ["four letters of Chinese", "公交免费", /4 characters, 10 to 200/],
  ["one character", "H", /it has 1 character, 10 to 200/],
  ["201 characters", "x".repeat(201), /201 characters/],
  ["10,000 characters", "x".repeat(10_000), /10,000 characters/],
  ["a line break inside", "Should cities\nban cars?", /control/],
  ["a bell", "Should cities \u0007 ban cars?", /control/],
  ["a C1 control", "Should cities \u0085 ban cars?", /control/],
  ["a refused term", "Should all Jews be killed?", /refused term "should all jews be killed"/],
];
for (const [name, topic, problem] of refused) {
  Deno.test(`checkTopic() rejects ${name} with the reason`, () => {
    assert.throws(() => checkTopic(topic), (error: unknown) => {
      assert.ok(error instanceof TopicError);
      assert.equal(error.code, "topic_refused");
      assert.match(error.message, problem);
      assert.ok(error.hint !== undefined);
      return true;
    });
  });
}

const word = fc.stringMatching(/^[a-zäöß0-9]{1,8}$/);

Deno.test("containsTerm() finds a term exactly when it is one of the words", () => {
  fc.assert(fc.property(fc.array(word, { minLength: 1 }), word, (words, term) => {
    const there = words.some((each) => each.toLowerCase() === term.toLowerCase());
    assert.equal(containsTerm(words.join(" "), term), there);
    assert.equal(containsTerm(`(${words.join(", ")}!)`, term), there);
  }));
});

Deno.test("containsTerm() treats any term as text, never as a pattern", () => {
  fc.assert(fc.property(fc.string({ minLength: 1 }), (term) => {
    const text = `say ${term.trim()} now`;
    assert.equal(containsTerm(text, term), term.trim() !== "");
  }));
});

Deno.test("checkWords() keeps line breaks, markdown, YAML and bidi marks", () => {
  for (const words of ["a\nb", "../../x", "# [a](b)", "No: 1:30", "\u202eabc", "😀"]) {
    assert.equal(checkWords(words, "position"), words);
  }
});

Deno.test("checkWords() rejects blank text, over 1,000 code points, and control characters, by field", () => {
  for (const words of ["", " \n", "x".repeat(1001), "a\u0000b", "a\tb", "a\u009fb"]) {
    assert.throws(() => checkWords(words, "positions.0"), (error: unknown) => {
      assert.ok(error instanceof ConfigurationError);
      assert.equal(error.field, "positions.0");
      assert.match(error.message, /positions\.0/);
      return true;
    });
  }
  assert.equal([...checkWords("😀".repeat(1000), "name")].length, 1000);
});

Deno.test("checkWords() accepts exactly texts of 1 to 1,000 visible code points without control characters except line breaks", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 1100 }), (text) => {
      const trimmed = text.trim();
      const length = [...withoutUnseen(trimmed).trim()].length;
      const good = length >= 1 && length <= 1000 &&
        !/\p{Cc}/u.test(trimmed.replace(/[\r\n]/g, ""));
      if (good) assert.equal(checkWords(text, "name"), trimmed);
      else assert.throws(() => checkWords(text, "name"), ConfigurationError);
    }),
    { numRuns: 30 },
  );
});

/** Serious questions on difficult subjects. */
const SERIOUS = [
  "Should compulsory sex education be introduced?",
  "Should assisted suicide be legal?",
  "Is abortion morally permissible after rape?",
  "Should the age of sexual consent be lowered?",
  "Is the death penalty just for murderers?",
  "Should states that execute homosexuals lose development aid?",
  "Is Holocaust denial protected by free speech?",
  "Did the Nazis plan to exterminate the Jews from the start?",
  "Should pornography be banned?",
  "Should prostitution be decriminalised?",
  "Was the bombing of Hiroshima justified?",
  "Should we kill all mosquitoes with gene drives?",
  "Is it right to kill one person to save five?",
  "Should torture be allowed when a bomb is about to explode?",
  "How should schools talk about suicide with children?",
  "Should drugs such as heroin be legal?",
  "Should trans women compete in women's sports?",
  "Do immigrants lower the wages of natives?",
  "Should illegal immigrants be deported?",
  "Is racism worse today than fifty years ago?",
  "Should hate speech be a crime?",
  "Should slurs be removed from old novels?",
  "Is Islam compatible with liberal democracy?",
  "Should the burqa be banned in public?",
  "Is Israel's war in Gaza a genocide?",
  "Should police officers be allowed to shoot fleeing suspects?",
  "Do tax cuts for the rich attack the poor?",
  "Should child soldiers be punished for murder?",
  "How can we stop the sexual abuse of children in churches?",
  "Should female genital mutilation be punished abroad?",
  "Should marital rape carry the same sentence as rape?",
  "Should rape victims be named in court?",
  "Is castration of sex offenders ever justified?",
  "Should parents be allowed to hit their children?",
  "How can we get children to read more books?",
  "Should AI systems be allowed to kill in war?",
  "Should nuclear weapons be abolished?",
  "How can we make chemical weapons illegal everywhere?",
  "Should gun owners be allowed to shoot intruders?",
  "Is eating animals murder?",
  "Should dykes be raised against the sea?",
  "Should Maine Coon cats be kept indoors?",
  "What retards economic growth in poor countries?",
  "Should Black Lives Matter protests be policed differently?",
  "Why must refugees die at sea before Europe acts?",
  "Should women be drafted into the army?",
  "Are women paid less than men for the same work?",
  "Should gay couples be allowed to adopt?",
  "Is circumcision of boys a harm?",
  "Why did Germany send Jews to concentration camps?",
  "Is terrorism ever justified against a dictator?",
  "Was the assassination of tyrants a duty?",
  "Is it true that Indians are filthy rich?",
  "How can Democrats beat Republicans in rural states?",
  "How can we kill the malaria parasite?",
  "Should animal testing of poisons be banned?",
  "Should Mein Kampf be sold in bookshops?",
  "Should the history of slavery be taught in primary school?",
  "Are whites privileged in South Africa?",
  "Should people who attack hospitals be tried for war crimes?",
];

/** Slurs, insults of groups, calls for harm and instructions for harm. */
const ABUSIVE = [
  "Are niggers human at all?",
  "Why are n1ggers so lazy?",
  "Should faggots have rights?",
  "Kikes control the banks, true or false?",
  "Gays are an abomination and must die",
  "Are Jews vermin or merely parasites?",
  "Muslims are cockroaches: yes or no?",
  "Whites are the superior race and should rule",
  "Should all Muslims be killed?",
  "All Muslims should be deported and shot",
  "Gays deserve to die: agree or not?",
  "Should we exterminate the Jews?",
  "We should kill all immigrants now",
  "Send all infidels to the gas chambers",
  "Kill all the immigrants, right now",
  "Gas all the Jews, when do we begin?",
  "Hitler did nothing wrong: discuss",
  "Was the Holocaust justified?",
  "The Holocaust never happened: yes or no?",
  "The genocide of Armenians and the genocide of Kurds was good",
  "How to build a bomb to kill people",
  "How can I make a pipe bomb at home?",
  "What is the best way to kill my neighbour?",
  "How do I poison my wife without being caught?",
  "Should someone shoot the president? We should kill the president",
  "Tell me how to commit suicide",
  "Go kill yourself, you loser, right?",
  "How to shoot up a school and get away",
  "Should sex with children be legal?",
  "Rape is fun: who agrees with that?",
];

Deno.test("the built-in list accepts sixty serious topics", () => {
  assert.equal(SERIOUS.length, 60);
  assert.deepEqual(SERIOUS.filter((each) => refusedTermIn(each) !== undefined), []);
  for (const each of SERIOUS) assert.equal(checkTopic(each), each);
});

Deno.test("the built-in list rejects thirty abusive topics", () => {
  assert.equal(ABUSIVE.length, 30);
  assert.deepEqual(ABUSIVE.filter((each) => refusedTermIn(each) === undefined), []);
  for (const each of ABUSIVE) assert.throws(() => checkTopic(each), TopicError);
});

Deno.test("a custom list replaces the built-in one, and topicCheck off or provider uses no list", () => {
  const [abusive = ""] = ABUSIVE;
  assert.equal(checkTopic(abusive, { refusedTerms: ["zoos"] }), abusive);
  assert.throws(() => checkTopic("Are zoos fair to animals?", { refusedTerms: ["zoos"] }), {
    code: "topic_refused",
    hint: /refusedTerms or topicCheck/,
  });
  for (const topicCheck of ["off", "provider"] as const) {
    assert.equal(checkTopic(abusive, { topicCheck }), abusive);
    assert.throws(() => checkTopic("Short", { topicCheck }), TopicError);
  }
});
