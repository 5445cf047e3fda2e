import type { TopicArea } from "./matter.ts";
import type { Voice } from "./voice.ts";

/** Reasons that do without a quotation, by voice. */
export const REASONS: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "a claim that is made in [public|print] can be [tested|challenged] by everyone, and as long as no [test|challenge] has gone against it, it is [reasonable|fair] to let it stand",
    "the [alternative|opposite] would be to [act|decide] as if nothing were known about {m}, which is a decision as well and a worse [founded|grounded] one",
    "those who [ask|wait] for certainty about {m} ask for what no [study|inquiry] can give, and meanwhile [habit|chance] decides",
    "the [simplest|plainest] account of {m} has a right to be [preferred|kept] until a fact is [named|shown] that it cannot [explain|place]",
    "it [counts|speaks] for a position on {m} that its defenders can say what would [change|alter] their minds",
    "[errors|mistakes] about {m} can be [found|corrected] only if somebody first [commits|binds] themselves to an answer",
    "[knowledge|insight] grows by [provisional|tentative] agreement, and on {m} there is [enough|sufficient] for that",
  ],
  cautious: [
    "an answer on {m} is worth as much as the [conditions|limits] that are stated with it, and [most|many] quarrels [end|fade] once they are",
    "it is [possible|open] to [agree|side] with a claim about {m} and still to ask where it [stops|ends]",
    "[between|midway between] acceptance and rejection lies the [question|matter] of degree, and on {m} that is the one that [pays|helps]",
    "the [cost|price] of a mistake about {m} differs from case to case, and so should the [certainty|proof] that is asked for",
    "one [may|can] use a result on {m} and at the same time [keep|hold] the way back open",
    "what [holds|works] in one place may fail in the next, and [nobody|no one] can know about {m} without having [looked|asked]",
    "a [modest|limited] claim about {m} that survives is worth more than a [bold|broad] one that has to be [withdrawn|taken back]",
  ],
  critical: [
    "a claim about {m} that cannot be [traced|followed] to what was [seen|observed] has to be [treated|handled] as an opinion, however [well|carefully] it is put",
    "[silence|vagueness] on the decisive step is itself [telling|a reason]: whoever had a [reason|ground] for it would have [given|named] it",
    "the [number|range] of things that could lie behind {m} is [large|wide], and picking one of them is no [proof|argument] against the others",
    "to ask for [grounds|reasons] on {m} is not [hostile|unkind]; it is what every claim [owes|is owed] before others [rely|build] on it",
    "if the opposite claim about {m} could be made with the same [words|ease], neither of them has been [shown|established]",
    "what is [repeated|taken for granted] often enough looks like knowledge, and on {m} I see more [repetition|confidence] than [proof|grounds]",
    "the [easy|comfortable] answer on {m} is not the [safe|likely] one merely because it is [at hand|familiar]",
  ],
};

/** What has to be asked in an area, whatever one stands for. */
export const AREA_REASONS: Readonly<Record<TopicArea, readonly string[]>> = {
  methodology: [
    "a method [earns|gains] trust where another team could [repeat|redo] it and see the same, and this is the [measure|standard] I apply to {m}",
    "how something was [measured|recorded] decides what could be seen at all, so for {m} the instrument is [part|a piece] of the answer",
    "the [choice|selection] of cases comes before every result on {m}, and it [deserves|needs] the first [look|question]",
    "a comparison is as good as the [likeness|similarity] of what is compared, and with {m} that has to be [asked|checked] first",
    "what was not [recorded|measured] cannot be [argued|reasoned] away later, which [limits|bounds] what anyone may say about {m}",
  ],
  evidence: [
    "evidence [counts|weighs] by what it could have [shown|turned up] and did not, and that is how I [read|weigh] it on {m}",
    "one [clear|definite] observation is worth more here than a [row|series] of impressions about {m}",
    "the [question|test] is whether the same words would have been written if the claim about {m} were [false|mistaken]",
    "numbers and [observations|reports] have to be [weighed|valued] by how they came about, which for {m} means looking at each [source|step]",
    "the [strength|weight] of a case on {m} is that of its [weakest|thinnest] necessary link",
  ],
  generalisability: [
    "to carry a result on {m} elsewhere one must know what it [depended|hung] on where it was found",
    "the [step|way] from some cases to all is the [longest|hardest] one in any argument about {m}",
    "what [differs|changes] between one place and the next is seldom [noise|chance]; with {m} it may be the whole [point|story]",
    "a result [travels|carries] as far as its conditions do, and for {m} these can be [listed|named]",
    "the reach of a finding on {m} is a question of fact, to be [answered|settled] by looking at further cases and not by [confidence|eloquence]",
  ],
  theory: [
    "an explanation of {m} has to say what it [forbids|excludes]; one that [fits|allows] everything explains nothing",
    "two things that [occur|change] together invite a story about {m}, and the story has to be [tested|tried] apart from them",
    "a mechanism [links|joins] steps, and with {m} each of them can be [asked|looked] for",
    "theory is of use where it [tells|says] in advance what should be [seen|found] about {m}",
    "concepts [cut|divide] the matter before any [observation|measurement] does, and for {m} another cut is [possible|conceivable]",
  ],
  practice: [
    "those who have to [decide|act] on {m} cannot wait for the last word, and they [bear|pay] the cost of a wrong one",
    "advice on {m} should be [judged|measured] by what happens when it is [followed|taken] badly, for that is how it will be followed somewhere",
    "a result is [useful|practical] when it tells someone what to do [differently|next], and this has to be asked of {m} as well",
    "between knowing about {m} and [acting|deciding] lie means, [time|patience] and people who have other [cares|work]",
    "what can be [undone|reversed] may be tried on [thinner|weaker] grounds than what cannot, which [helps|matters] with {m}",
  ],
  alternatives: [
    "a rival account of {m} is [met|answered] only by naming an observation on which the two [differ|part]",
    "the list of other [causes|explanations] should be [made|written] before the results on {m} are read and not after",
    "an alternative does not have to be [proved|shown] to count; it is enough that the data on {m} cannot tell it [apart|from the first]",
    "some rival [readings|accounts] of {m} are idle and some are not, and the difference is whether they can be [tested|checked]",
    "the [first|nearest] explanation of {m} has the advantage of being first and no other by [right|nature]",
  ],
  ethics: [
    "those who [bear|carry] the consequences in the matter of {m} have a [claim|right] to be [heard|counted] before averages are taken",
    "a [benefit|gain] to many does not by itself [answer|settle] a burden to few, and with {m} the two may fall on different [people|groups]",
    "consent, openness and the chance to [object|refuse] are [part|elements] of a good answer on {m} and no decoration",
    "what is [fair|just] about {m} cannot be read off from what [works|is effective], though it should not [ignore|overlook] it",
    "the [question|matter] of who pays if the claim about {m} proves wrong belongs to the [claim|case] itself",
  ],
  general: [
    "the [question|matter] has to be [taken|looked at] by its parts, and {m} is the one on which most depends here",
    "it [helps|pays] to ask what would have to be [true|so] for the claim about {m} to fail",
    "what [speaks|tells] for a view on {m} should be kept apart from what makes it [attractive|welcome]",
    "a reader should be able to say which sentence about {m} carries the [weight|load], and which are [there for company|beside the point]",
    "the [order|sequence] matters: first what is [reported|said] of {m}, then what it is [taken|held] to mean",
  ],
};

/** The last sentence of a reasoning, by voice. */
export const CLOSES: Readonly<Record<Voice, readonly string[]>> = {
  supportive: [
    "[on balance|weighing this] I see more reason to build on the result than to set it aside",
    "[so|hence] my answer on this point follows the paper, and does so without [reserve|hesitation]",
    "that is why I [stand|stay] by the paper here",
    "[nothing|no consideration] brought forward so far [outweighs|cancels] this",
    "the [case|argument] on this topic is therefore a [good|strong] one, and I [rest|leave] it there",
    "for these reasons I would [rely|count] on it and [revise|correct] it as more becomes known",
    "it is [enough|sufficient] to go by, and [more|better] than what the other sides can [offer|show] here",
    "what remains is [detail|refinement]; the main [line|point] is [settled|secure]",
    "I therefore [count|book] this topic on the side of the paper",
  ],
  cautious: [
    "[on balance|weighing this] I accept the statement with its conditions attached",
    "[so|hence] my answer here has limits, and the limits are [part|a piece] of the answer",
    "that is why I neither [endorse|adopt] nor dismiss the whole",
    "the [right|sensible] response is to use the result where it was [found|earned] and to [test|check] it elsewhere",
    "for these reasons I [prefer|choose] a smaller claim that can be [kept|defended]",
    "I [leave|put] it at that: a [reason|ground] to act with care, and none to [act|decide] blindly",
    "what [remains|is left] to do is to [find|learn] where the line runs",
    "the [answer|verdict] on this topic has to stay [open|conditional] as long as the conditions do",
    "I therefore [count|enter] this topic as settled in part",
  ],
  critical: [
    "[on balance|weighing this] I see more reason to wait than to follow",
    "[so|hence] my answer on this point [departs|differs] from the paper’s, until the missing step is [supplied|shown]",
    "that is why I [withhold|refuse] agreement here",
    "the [case|argument] may be right and is not [made|proved], and these are two [things|matters]",
    "for these reasons nobody should [rely|build] on it yet",
    "it is [less|weaker] than it looks, and [less|weaker] than the conclusion [needs|demands]",
    "what [remains|is left] is a question that was [answered|closed] too soon",
    "until something better is on the table, [doubt|restraint] is the [sounder|safer] course",
    "I therefore [count|enter] this topic against the paper",
  ],
};
