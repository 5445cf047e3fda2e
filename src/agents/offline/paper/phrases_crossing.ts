import type { Voice } from "./voice.ts";

/** First sentences to an opponent; `{label}` names it, `{q}` quotes it. */
export const TO_OPPONENT: readonly string[] = [
  "to {label} I [say|reply] this: the sentence {q} [needs|wants] a ground that I do not [see|find]",
  "what {label} [maintains|puts forward] can be [summed up|given] in its own words, {q}",
  "the argument of {label} [turns|hangs] on one sentence, {q}",
  "I have [read|weighed] what {label} [says|argues], {q}, and I do not [follow|agree]",
  "with {label} I [differ|part company] where it says {q}",
  "the case of {label} stands or falls with the [words|sentence] {q}",
  "let me turn to {label}, who [writes|holds]: {q}",
  "it was {label} who [wrote|said] {q}, and this [calls|asks] for an answer",
  "as to {label}: the [point|claim] that [matters|counts] most there is {q}",
];

/** The same where nothing of the opponent can be quoted. */
export const TO_SILENT_OPPONENT: readonly string[] = [
  "the argument of {label} gives me no sentence that I could [quote|take up] as it stands, so I [answer|speak to] its [posture|side] as a whole",
  "to {label} I can [reply|respond] in general [only|terms only], since no sentence of it [lends|offers] itself to being quoted",
  "what {label} [argues|says] I can only [answer|meet] as a whole",
];

/** Why what an opponent says falls short, by the voice of who answers. */
export const FALLS_SHORT: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "it falls short because it [asks|demands] of the paper on {m} what it does not ask of the [opposite|rival] view",
    "the [trouble|difficulty] with it is that it names a [doubt|worry] about {m} and no observation that would [bear|bring] it out",
    "it [overlooks|passes over] that a limit of a finding on {m} is not a [reason|ground] to [drop|discard] the finding",
    "what it [lacks|misses] is an account of {m} that would do [better|as well]; to find fault is the smaller [half|part] of the task",
    "it [treats|takes] the open questions about {m} as if they were answers, and [negative|adverse] ones at that",
    "it would [apply|extend] to every study of {m} that could ever be made, and so it [tells|speaks] against none in particular",
    "it [stops|ends] before the passage that [matters|counts] most for {m}",
  ],
  cautious: [
    "it falls short because it [speaks|decides] about {m} without saying for which [cases|circumstances] it does so",
    "the [trouble|difficulty] with it is the [step|leap] from what was observed of {m} to what [must|should] be so everywhere",
    "it is [right|sound] in part, and it [spoils|loses] that part by [stating|putting] it without the conditions on {m}",
    "what it [lacks|misses] is the [question|thought] of degree: how much, where, and for whom {m} would be [different|otherwise]",
    "it makes of a [tendency|direction] in the matter of {m} a [rule|law], which the material does not [bear|give]",
    "it [chooses|takes] from the passages on {m} those that [suit|fit], and leaves their neighbours [aside|unread]",
    "it [hurries|rushes] to a verdict on {m} that would look different after one more [question|look]",
  ],
  critical: [
    "it falls short because it [repeats|restates] what the paper says about {m} and adds no [reason|ground] of its own",
    "the [trouble|difficulty] with it is that everything in it about {m} would be [said|written] in the same way if the conclusion were wrong",
    "it [treats|takes] agreement between passages on {m} as proof, though they come from one [source|hand]",
    "what it [lacks|misses] is the rival reading of {m}: it is not [met|answered], it is not even [named|mentioned]",
    "it [builds|rests] on {m} more than the quoted words [can carry|allow], and [calls|declares] the rest detail",
    "it [confuses|mixes up] what is [likely|plausible] about {m} with what has been [shown|tested]",
    "it [grants|concedes] the limits in one breath and [forgets|drops] them in the next, as soon as the question of {m} is to be [decided|judged]",
  ],
};

/** How a look-up answers an opponent; `{q}` quotes the paper. */
export const PAPER_ANSWERS: readonly string[] = [
  "I looked the matter up in {paper}, and there it says {q}",
  "{paper} has a sentence that [ought|needs] to be set beside it: {q}",
  "against it I [hold|set] the words of {paper}, {q}",
  "what {paper} says on the same matter is [different|other] in weight: {q}",
  "a look-up [brings|returns] this sentence of {paper}: {q}",
  "one has only to [read|turn to] {paper}: {q}",
  "it should be [compared|held together] with what stands in {paper}, {q}",
];

/** Said where a look-up brought nothing to quote against an opponent. */
export const NO_ANSWER_FOUND: readonly string[] = [
  "my own look-up brought no sentence to [set|hold] against it, so this is a [matter|question] of reasoning",
  "I [looked|searched] for a passage that decides between us and [found|have] none",
  "the papers [returned|gave] me nothing to quote on it, which should make [both|all] of us careful",
];

/** The last words to an opponent, by voice. */
export const LAST_TO_OPPONENT: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "that [passage|point] is not [met|touched] by anything {label} has said",
    "until {label} [answers|meets] that, the result stands",
    "I would ask {label} to say what [observation|finding] could still change its mind",
    "for all that {label} [brings|puts] forward, the [sentence|result] has not been [explained|argued] away",
    "if {label} has a [better|fuller] account, this [exchange|debate] is the place for it",
  ],
  cautious: [
    "if {label} [added|stated] the conditions, we might not be far apart",
    "until {label} says where its claim stops, I cannot [share|follow] it",
    "I would ask {label} to name one case in which it would [decide|judge] otherwise",
    "with {label} I could [agree|settle] on a [smaller|narrower] claim, and I [offer|propose] that we do",
    "the [part|half] that {label} leaves out is the one a [reader|user] of the result would [need|ask for] first",
  ],
  critical: [
    "so far {label} has [shown|given] no reason why that should not worry us",
    "until {label} closes that gap, I [remain|stay] unconvinced",
    "I would ask {label} to say which rival account it has [tested|excluded], and how",
    "what {label} calls a [result|ground] I would call a [hope|wish], until it is [tested|tried]",
    "the [burden|duty] lies with {label}, and so far it has been [carried|met] by assertion",
  ],
};

/** The last sentence of a cross-examination, by voice. */
export const CROSS_ENDS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "[having|now that I have] heard the others, I [keep|stay] with my answer on {m}",
    "my [case|view] on {m} has been [questioned|tested], and I find it [standing|unshaken]",
    "none of this [moves|shakes] the ground on which I [argue|argued] about {m}",
  ],
  cautious: [
    "[having|now that I have] heard the others, I find the middle course on {m} the one that [loses|gives up] least",
    "what the others [share|have in common] is certainty about {m}, and that is what I [doubt|question] most",
    "each of them [has|holds] a part of the answer on {m}, and none has its [limits|edges]",
  ],
  critical: [
    "[having|now that I have] heard the others, I still [miss|look for] the one [reason|test] that would settle {m}",
    "the [step|link] that was missing for {m} is missing [still|yet]",
    "I [leave|close] with the same question about {m}, since nobody has [answered|taken] it",
  ],
};
