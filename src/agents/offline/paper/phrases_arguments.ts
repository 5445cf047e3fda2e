import type { Voice } from "./voice.ts";

/** What a debater claims on a topic; `{topic}` follows “on”, `{k}` is a matter without number. */
export const CLAIMS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "on {topic} the paper [deserves|earns] [agreement|assent]: what it says about {k} is [set out openly|stated plainly] and can be [checked|followed] by anyone who reads it",
    "when it comes to {topic}, I [hold|maintain] that the paper [makes|has made] its case: its statements on {k} [fit|belong] together and [carry|bear] the answer I defend",
    "my [claim|contention] on {topic} is that the paper gives [good|sufficient] [grounds|reasons] to rely on what it says about {k}",
    "with regard to {topic}, the [better|stronger] reading is the [plain|straightforward] one: the paper [means|says] what it shows about {k}, and it [shows|offers] enough",
    "as to {topic}, a [fair|careful] reader should [accept|grant] that what is reported on {k} [stands|holds] until something better is put in its place",
    "there is [reason|ground] for confidence on {topic}: the paper [commits|binds] itself on {k} in words that could have been proved wrong",
    "on {topic} I take the paper’s side, because it [speaks|reports] about {k} in [concrete|definite] terms and not in [wishes|generalities]",
    "what the paper [offers|brings] on {topic} is [solid|firm] enough to [build|act] on, most of all where it [turns to|deals with] {k}",
    "I [defend|support] the paper on {topic}: its [observations|statements] about {k} are [specific|exact] enough to [guide|inform] those who have to decide",
  ],
  cautious: [
    "on {topic} the paper is right as far as it goes, and the [task|point] is to say how far it goes with respect to {k}",
    "when it comes to {topic}, I offer qualified [agreement|assent]: what is said about {k} holds under the [circumstances|conditions] in which it was found",
    "my [view|position] on {topic} is that the paper [points|leads] in the right direction about {k} and leaves the [size|strength] of it [open|unsettled]",
    "with regard to {topic}, neither [praise|applause] nor dismissal does justice to what the paper [says|reports] about {k}; a [measured|limited] claim does",
    "as to {topic}, I would [keep|retain] the statement about {k} and [add|attach] the conditions that belong to it",
    "there is a [middle|narrow] path on {topic}: one [accepts|takes] what was observed about {k} and [declines|refuses] to [stretch|extend] it",
    "on {topic} I [separate|distinguish] two things, what the paper observed about {k} and what it [infers|concludes] from that, and I [trust|follow] the first further than the second",
    "what can be said on {topic} depends on the setting, and the paper’s [remarks|statements] about {k} should be read with [that|their setting] in mind",
    "I [ask|argue] for care on {topic}: the [findings|statements] on {k} are worth having and [easy|tempting] to overrate",
  ],
  critical: [
    "on {topic} the paper [claims|promises] more than it [delivers|can show]: what it says about {k} leaves the decisive step to the reader’s [goodwill|trust]",
    "when it comes to {topic}, I [doubt|question] that the statements on {k} bear the weight that is [put|placed] on them",
    "my [objection|challenge] on {topic} is that nothing in what is said about {k} [excludes|rules out] a quite different reading",
    "with regard to {topic}, the [burden|duty] of proof lies with the paper, and on {k} it has not been [met|discharged]",
    "as to {topic}, a [strict|demanding] reader should withhold [agreement|assent]: the passages on {k} [describe|relate] more than they [demonstrate|establish]",
    "there is a [gap|hole] in the case on {topic}: between what was seen of {k} and what is [concluded|inferred] from it a step is [missing|left out]",
    "on {topic} I [side|stand] against the paper, because its words about {k} would [sound|read] the same if its conclusion were [mistaken|wrong]",
    "what the paper [offers|brings] on {topic} is too [thin|narrow] to [build|act] on, above all where it [turns to|deals with] {k}",
    "I [contest|dispute] the paper on {topic}: about {k} it [reports|selects] what suits its conclusion and [tests|examines] too little of what would not",
  ],
};

/** What a debater claims where the papers gave nothing to quote; `{m}` is the question's matter. */
export const CLAIMS_WITHOUT_QUOTES: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "on {topic} I would [follow|side with] the paper as long as nothing [speaks|is brought] against it",
    "when it comes to {topic}, the case for {m} should be [heard|considered] before it is [doubted|set aside]",
    "my [claim|contention] on {topic} is that the paper should be given [credit|trust] until there is a [reason|ground] to [withdraw|refuse] it",
    "as to {topic}, [agreement|assent] is the better [starting point|beginning], and it can be [revised|taken back]",
    "on {topic} I [speak|argue] for the paper, though by [reasons|reasoning] and not by its own words",
  ],
  cautious: [
    "on {topic} nothing more than a [conditional|qualified] answer can be given, and I [give|offer] one",
    "when it comes to {topic}, the answer depends on [conditions|circumstances] that have yet to be [named|stated]",
    "my [claim|contention] on {topic} is that {m} may be right in some cases and wrong in others, and that we should [say|find out] which",
    "as to {topic}, I [propose|suggest] to [hold|keep] the answer open and to say what would close it",
    "on {topic} I [keep|stay] in the middle, since [nothing|no passage] before us [forces|drives] us to one side",
  ],
  critical: [
    "on {topic} I see no [ground|reason] that would [oblige|compel] anyone to agree",
    "when it comes to {topic}, I find [statements|claims] about {m} and no [grounds|reasons] for them",
    "my [claim|contention] on {topic} is that the paper [owes|has still to give] us its reasons",
    "as to {topic}, [doubt|restraint] is in order as long as nothing can be [quoted|pointed to]",
    "on {topic} I [speak|argue] against the paper, for what is not [written|said] cannot [convince|persuade]",
  ],
};

/** How a quotation is introduced, by what it is; `{q}` stands in its marks, `{paper}` names where it is from. */
export const GROUNDS = {
  finding: [
    "the [finding|observation] on which I rely is [put|stated] in these words: {q}",
    "{paper} reports in so many words: {q}",
    "one [sentence|line] of {paper} [states|gives] the result without [ornament|detours]: {q}",
    "the [relevant|decisive] passage of {paper} [reads|runs]: {q}",
    "asked what was [found|seen], {paper} [answers|replies]: {q}",
    "the evidence [begins|starts] with a [single|plain] statement in {paper}, {q}",
    "what was observed is [recorded|written down] in {paper} as follows: {q}",
    "let me [quote|cite] the result as {paper} gives it: {q}",
    "among the results [I find|stands] this one, in the words of {paper}: {q}",
  ],
  limit: [
    "{paper} itself draws the line: {q}",
    "the [reservation|limit] is the authors’ own, and it [reads|runs]: {q}",
    "a [candid|frank] sentence in {paper} [deserves|calls for] attention here: {q}",
    "how far one may go is [said|marked] in {paper} with the words {q}",
    "against too [quick|easy] a reading stands a sentence of {paper}: {q}",
    "{paper} does not [hide|conceal] where it stops: {q}",
    "the [weak|sore] point is [named|spelled out] in {paper}: {q}",
    "one has to [keep|bear] in mind what {paper} [admits|concedes]: {q}",
    "the [qualification|proviso] in {paper} is [brief|short]: {q}",
  ],
  plain: [
    "{paper} puts it this way: {q}",
    "the [sentence|passage] to [look|turn] to is this one: {q}",
    "in the words of {paper}, {q}",
    "the [matter|point] is [described|set out] in {paper} as follows: {q}",
    "I [start|set out] from what {paper} says here: {q}",
    "the text of {paper} is [clear|explicit] on this: {q}",
    "[here|at this point] {paper} says: {q}",
    "what {paper} has to say on it is [found|contained] in one sentence, {q}",
    "the [wording|text] matters, so I [quote|give] it: {q}",
  ],
} satisfies Readonly<Record<"finding" | "limit" | "plain", readonly string[]>>;

/** What follows from a quoted finding or statement, by voice. */
export const INFERENCES: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "that is not a [hope|guess] but a [statement|report] with a definite content, and whoever [doubts|disputes] it would have to say what else was seen",
    "such a sentence can be [tested|tried] against other observations of {k}, which is more than most [opinions|positions] can [say|claim] for themselves",
    "if this is so, the [conclusion|answer] I defend about {m} needs no further [assumption|leap]; it follows from what was [recorded|observed]",
    "to [reject|dismiss] the conclusion one would have to reject this sentence, and I see no [reason|ground] to do so",
    "it [ties|binds] the claim about {m} to something that was [looked at|observed], and that is what [separates|distinguishes] knowledge from [preference|belief]",
    "a reader who [accepts|grants] these words has [accepted|granted] the [larger|main] part of my case on {m}",
    "the [weight|force] of it lies in its [plainness|directness]: nothing about {k} has to be [guessed|supplied] to see the point",
    "[taken|read] at face value, it [speaks for|favours] my side, and there is no [need|cause] to take it in any other way",
    "from there to the conclusion about {m} is a [short|small] step, and the paper [takes|makes] it in the open",
  ],
  cautious: [
    "that [supports|backs] a claim of limited size: it [tells|informs] us about {k} in the setting of the study, and about other settings only by [analogy|comparison]",
    "I [take|accept] this as it stands, and I [notice|note] that it says [nothing|little] about what would happen if the circumstances of {k} changed",
    "the [direction|tendency] is clear from these words; the [size|strength] of what they describe is not, and for {m} the difference [matters|counts]",
    "it is [evidence|support] of a certain [kind|quality], good enough for a [provisional|first] answer on {m} and not for a final one",
    "[both|the] sides can [accept|sign] this sentence, which shows that the [quarrel|disagreement] about {m} is over its reach and not over its truth",
    "[read|taken] with its conditions the statement is [useful|helpful]; without them it would [say|promise] more about {m} than anyone [observed|recorded]",
    "what follows about {m} is a [conditional|qualified] statement: if the setting is alike, then the result may be [expected|hoped for]",
    "so much can be [relied|counted] on, and the [next|further] question is where {k} would [look|turn out] different",
    "the [honest|sober] reading keeps the [observation|statement] and leaves the [generalisation|rule] about {m} for later",
  ],
  critical: [
    "[read|taken] closely, that [describes|tells of] one [situation|setting]; that it says anything about {m} in general is [added|supplied] by the reader",
    "even if every word of it is [true|right], it [leaves|keeps] open why {k} [came out|turned out] that way, and the why is what the conclusion [needs|requires]",
    "the sentence would [stand|hold] just as well if something else were at work behind {k}, so it cannot [decide|settle] the question of {m}",
    "[notice|note] what is not said: no [comparison|contrast] in it [rules|shuts] out the rival reading of {m}",
    "it [asks|invites] us to take a [description|report] for an explanation, and on {m} I [decline|refuse] to",
    "that is a [statement|remark] about what was seen and no [proof|demonstration] of what is [concluded|claimed] about {m}",
    "a claim about {m} would need more than this: a [reason|ground] to think that {k} could not have come about in another way",
    "the [conclusion|inference] drawn from it is [wider|larger] than the sentence, and the [difference|surplus] is [unpaid|not paid] for",
    "[whoever|anyone who] builds on it [carries|takes] the risk that the case of {k} was [special|a favourable one]",
  ],
};

/** What follows from a quoted sentence that neither reports nor reserves, by voice. */
export const INFERENCES_FROM_PLAIN: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "that is [set|put] down in the open, and whoever wants to [test|repeat] what is said about {m} knows where to [start|begin]",
    "it [shows|tells] what the answer on {m} is [made|built] of, and I find no [weak|loose] thread in it",
    "a paper that [explains|says] this much about {k} has [earned|gained] some trust for what it [concludes|infers] about {m}",
    "here the case on {m} has its [footing|ground], and it is [visible|plain] to everyone who reads",
    "so the [reader|public] can see what the authors [had|kept] before their eyes when they wrote about {m}",
    "the [sentence|statement] is [modest|sober], and it is from such sentences that the answer on {m} is put together",
    "I [take|read] it as a sign that {k} did not enter the argument by [accident|the back door]",
  ],
  cautious: [
    "that [describes|gives] the setting, and the setting [belongs|attaches] to every [conclusion|sentence] about {m} that is drawn in it",
    "it [tells|shows] where the [knowledge|material] about {m} comes from and, by the same token, where it does not come from",
    "so far both sides can [follow|agree]; they [part|separate] when {k} is to stand for more than the cases at hand",
    "the [sentence|statement] is [useful|good] because it lets one [ask|see] what else {m} might depend on",
    "I [read|take] it as a [condition|frame]: inside it the answer on {m} may be [trusted|used], outside it one has to look again",
    "with it in [mind|view], the answer on {m} becomes [smaller|narrower] and [safer|firmer] at once",
    "what is [described|said] there about {k} is one [arrangement|case] among several that could have been [chosen|met]",
  ],
  critical: [
    "that is a [description|starting point], and no [conclusion|verdict] about {m} can be [read|taken] off it",
    "it [tells|says] how one came to speak of {k} and not whether what is said about {m} is [right|so]",
    "what is [described|reported] there could have [gone|turned out] otherwise, and the answer on {m} with it",
    "I [look|wait] for the next sentence, the one that would [rule|shut] out other readings of {m}, and it does not [follow|come]",
    "so much for the [setting|frame]; that it [suits|fits] the question about {m} is [assumed|supposed] and not argued",
    "what one [wants|needs] to know about {m} [begins|starts] where this sentence ends",
    "it is [background|scenery], and a case on {m} cannot be [made|built] of [background|scenery]",
  ],
};

/** What follows from a quoted reservation, by voice. */
export const INFERENCES_FROM_LIMITS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "a text that [names|states] its limits this [clearly|openly] gives me more [reason|ground] to trust what it does assert about {m}",
    "I [grant|accept] the limit, and it leaves the [core|centre] of the case on {m} where it was: it [narrows|bounds] the claim without [reversing|refuting] it",
    "this is a [boundary|border] and no [retraction|refutation]; within it what is said about {m} [remains|stays] standing",
    "the reservation [speaks|works] for the paper, since it [shows|tells] that the statements on {m} were weighed before they were [made|printed]",
    "one may [wish|ask] for more, but a limit that is known can be [handled|allowed for] by those who [use|apply] the result on {m}",
    "[nothing|no part] of this [speaks|tells] against the main point on {m}; it [tells|shows] where to look next",
    "it would be [strange|unfair] to [punish|blame] the paper for saying openly about {m} what others [pass over|leave out]",
  ],
  cautious: [
    "this is the [condition|proviso] that my answer on {m} [carries|takes] with it, and I see no way around it",
    "the limit [belongs|attaches] to the finding like a unit to a number: without it the statement on {m} [means|says] too much",
    "so the [claim|statement] about {m} should be [made|kept] no [wider|larger] than these words allow",
    "it [marks|shows] the place where further work on {m} would [help|count] most, and where [firm|strong] words help least",
    "I [draw|take] from it that the answer on {m} has to be given case by case until this is [settled|known]",
    "[that|such candour] neither [sinks|ruins] the case on {m} nor can it be [waved|brushed] aside",
    "whoever [applies|uses] the result on {m} should [check|ask] first whether this limit [holds|counts] for them too",
  ],
  critical: [
    "that is no [footnote|detail]: if it is so, the conclusion about {m} [rests|stands] on ground that the paper itself calls [unsafe|uncertain]",
    "the paper [concedes|grants] here what its conclusion about {m} [forgets|leaves aside], and I only [ask|demand] that it [keep|stick] to its own words",
    "[once|if] this is [granted|conceded], what is left of the claim about {m} is a [suggestion|conjecture]",
    "a reservation of this [kind|size] cannot be [stated|written] on one page and [spent|forgotten] on the next; on {m} it decides the matter",
    "the [admission|concession] is to the paper’s credit and to the [cost|loss] of its conclusion on {m}",
    "it [means|follows] that the results on {m} could have [come out|turned out] otherwise, and nobody could [tell|say] how",
    "what is [left|kept] open here is exactly what the claim about {m} [needs|requires] to be closed",
  ],
};

/** How a further quotation is brought in. */
export const SECONDS: readonly string[] = [
  "a second [passage|sentence] [bears|touches] on the same point: {q}",
  "[beside|next to] it belongs another sentence, {q}",
  "the [picture|account] is [completed|rounded off] elsewhere in {paper}: {q}",
  "{paper} [adds|goes on] in another place: {q}",
  "this should be read [together|along] with {q}",
  "there is more to be [had|found] in {paper}, namely {q}",
  "the same [thread|line] is taken up with the words {q}",
  "further material [comes|is given] in the [statement|sentence] {q}",
  "not to be [missed|overlooked] is this sentence as well: {q}",
];

/** Said where no passage that was found can be quoted. */
export const NO_PASSAGE: readonly string[] = [
  "the look-ups brought no [sentence|passage] that could be quoted on this, so I [argue|reason] without one and say so",
  "no [passage|sentence] on this point was to be found, and I would rather [reason|argue] openly than pretend to a source",
  "[here|on this] I have [nothing|no line] to quote, and what follows is [argument|reasoning] alone",
  "the text [gave|yielded] nothing that could stand in quotation marks here; the case has to be made by [reasons|argument]",
  "I [searched|looked] for the paper’s own words on this and [found|have] none to [show|offer], so the reasons have to [do|suffice]",
  "without a passage to [point|refer] to, I [confine|limit] myself to what can be [reasoned|argued]",
  "what I say [here|on this] rests on no quotation, since the look-ups [returned|found] none that fits",
];
