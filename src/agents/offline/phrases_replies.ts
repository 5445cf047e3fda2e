/** First sentences for what the audience asked; `{q}` quotes it. */
export const AUDIENCE_QUESTIONS: readonly string[] = [
  "the audience asks {q}, and the question [deserves|should have] a [plain|straight] answer [before|rather than] another [round|exchange] between us, for {who} [may|might] be asking it too",
  "[someone|a listener] in the audience has [asked|put to us] {q}, and I [take|turn to] that first, since {who} [would|might] [want|wish] to know as well",
  "there is a question from the audience, {q}, and it [goes|leads] [straight|directly] to {stake}",
  "the audience [wants|would like] to know {q}; [here is|let me give] the answer as it [looks|appears] from my side, with {who} in [mind|view]",
  "{q}, we are asked from the [audience|floor], and I would [rather|sooner] answer that [openly|at once] than [pass|step] over it, not least for {who}",
];

/** First sentences for what the audience remarked; `{q}` quotes it. */
export const AUDIENCE_REMARKS: readonly string[] = [
  "the audience [reminds us|has pointed out], in the words {q}, of [something|a matter] that [both|all] sides have [left|kept] at the [edge|side], and {who} [gain|profit] when it is [said|faced]",
  "from the audience [comes|we have] the remark {q}, and I [take|pick] it up because it [touches|bears on] {stake}",
  "[someone|a listener] in the audience has said {q}, and I [do not want|would not like] to go on as if it had [gone unheard|not been said], least of all before {who}",
  "I [heard|noted] what was [called|said] from the audience, {q}, and it [belongs|fits] into this [exchange|discussion], since {who} [live|deal] with it",
  "the remark from the audience, {q}, [moves|shifts] the [light|weight] to {stake}, and I [follow|go along with] it for a moment",
];

/** Answers to an interruption that give the claim up. */
export const CONCEDES: readonly string[] = [
  "{label} is right to stop me: I cannot [stand by|vouch for] the words {q}, and I [withdraw|take back] them",
  "I [accept|take] the correction: that {q} was [more than|not what] I can [show|support], and {who} should not have to [rely|lean] on it",
  "[fair enough|agreed], the claim {q} goes too far as I put it, and I [drop|strike] it from my case",
  "on the point {q} I [concede|give way]; it should not have been [said|offered] without [better|firmer] grounds, and {who} are [owed|due] that much [care|honesty]",
  "I [said|claimed] {q}, and I was [wrong|mistaken] to [say|claim] it [so|in that form]; please [leave|set] it [aside|out of account]",
];

/** Answers to an interruption that keep a smaller claim. */
export const QUALIFIES: readonly string[] = [
  "let me put the claim {q} more [carefully|narrowly]: it [holds|is meant] for some of {who} and not for all, and I should have [said|added] so",
  "the words {q} were [broader|rounder] than what I [mean|need]; what I [need|mean] is only the [part|half] that {who} can [see|check] for themselves",
  "I [keep|hold to] the [core|sense] of what I said, {q}, and I give up its [certainty|sweep]: it is a [reason|judgement], not a [finding|record]",
  "{label} [has a point|asks rightly]: {q} is [contested|open], so take it as my [reading|view] of the matter and not as something {who} must [accept|believe]",
  "with a [limit|condition] the claim {q} can [stay|stand]: where {who} [live|work] under other [conditions|rules], I do not [make|press] it",
];

/** Answers to an interruption that stand by the claim. */
export const DEFENDS: readonly string[] = [
  "I [hear|understand] the objection to {q}, and I [stand|stay] by it as an argument: I [gave|offered] it for its [reasons|grounds], which {who} can [weigh|test] without [trusting|taking] my word",
  "the claim {q} is not [settled|decided] by what was [held|put] against it, and I [keep|leave] it in place until someone [shows|tells] {who} where it [fails|breaks]",
  "{label} is [right|entitled] to ask, and my answer is that {q} is [meant|offered] as a [judgement|conclusion] and not as a [measurement|report]; as that I [defend|repeat] it",
  "I would [say|put] it again, {q}, and [add|say with it] that nobody has [claimed|said] it was [certain|beyond doubt], for {who} or for anyone",
];

/** Answers to an interruption about a rule. */
export const KEEPS_RULE: readonly string[] = [
  "I [accept|respect] the [reminder|ruling] of {label} about {q}, and I [go on|return] to the [argument|matter] itself",
  "[point taken|the reminder is fair]: on {q} I [keep|hold] to the rules from here on, for the sake of {who} who [listen|follow] us",
  "{label} is right about {q}; what I [wanted|meant] to say can be said within the rules, and {who} will [hear|follow] it [better|more easily] that way",
  "I [apologise|am sorry] for that, {q}, and [leave|put] it behind me; the [case|reasons] do not [need|depend on] it",
];

/** What follows an answer to an interruption: the rest of the case. */
export const STILL_STANDS: readonly string[] = [
  "my case [rests|stands] on other [legs|grounds] as well, {stake} [before|above] all",
  "what I [argued|said] about {who} does not [depend|hang] on that [one|single] sentence",
  "the [question|matter] of {stake} [remains|stays] where it was, and to that I [return|go back]",
  "[take|leave] that sentence [away|out], and the [reasons|grounds] that concern {who} are still on the [table|list]",
  "[that|so much] for the sentence; the [argument|thought] behind it, about {stake}, is [untouched|still to be answered]",
  "[none|little] of this changes what {who} [would|will] [meet|find], and that was the [point|reason] of my turn",
];

/** What a speaker notes for itself before a turn: where things stand. */
export const REFLECTIONS: readonly string[] = [
  "so far the [exchange|debate] has [turned|centred] on {stake}, and {label} has the [last|latest] word on it with {q}",
  "{label} [leads|presses] with {q}; my own [ground|strength] is {theme}, and it has not been [answered|met] yet",
  "the [open|live] question is what all this [means|changes] for {who}; {label} [answered|spoke to] it with {q}",
  "[both|the] sides [agree|are at one] that {stake} counts; the [rift|difference] [opened|lies] where {label} said {q}",
];

/** The same before anybody else has spoken. */
export const FIRST_REFLECTIONS: readonly string[] = [
  "nothing has been said yet, so the [first|opening] words should [fix|settle] what is at [stake|issue]: {stake}, as {who} [meet|know] it",
  "I [begin|open] without anything to answer; {theme} is the [line|thought] that [carries|holds] most of my case",
  "[since|as] no argument is on the table, I should [say|make plain] what would count against me, and why {who} [matter|come] first",
];

/** What a speaker notes for itself of the argument it answers; `{q}` quotes it. */
export const CRITIQUES: readonly string[] = [
  "the weak point of {q} is that it [speaks|argues] from some of {who} to all of them",
  "what {label} says, {q}, [assumes|presupposes] that {stake} is [safe|unaffected] either way, and gives no [reason|ground] for it",
  "{q} [names|shows] a cost and [leaves out|passes over] what the other side of the [ledger|account] holds, above all {theme}",
  "between {q} and the conclusion a step is missing: nothing [says|tells] how it would come about for {who}",
  "{q} [leans|rests] on one vivid case; in the ordinary ones {who} [do not|would not] [fit|behave like] it",
  "{label} [treats|takes] {q} as settled, though it is a [judgement|forecast] about {stake} that could go the other way",
];

/** What a speaker notes for itself of its own case, where there is nothing to answer yet. */
export const SELF_CRITIQUES: readonly string[] = [
  "the weak point of my own case is how {who} would [get|come] through the [first|early] months; I should [grant|say] that before it is [held|turned] against me",
  "an opponent will [say|object] that {stake} can be had at a lower [price|cost]; I need {theme} to meet that",
  "my case [invites|will meet] the reply that {who} differ among themselves; I should not [speak|argue] as if they did not",
];

/** What a speaker says of a proposal that it can support; `{q}` quotes it. */
export const PLEDGES: readonly string[] = [
  "of what is on the table I can [support|carry] this: {q}; it [does|works] something for {who} that I [would|can] [defend|answer for]",
  "to the proposal {q} I say yes, with {who} in [mind|view]",
  "I am [ready|prepared] to [sign|agree to] {q}, because it [serves|protects] {stake}",
  "there is one thing we need not [argue|quarrel] over any longer, as far as I am concerned: {q}, which {who} could [live|work] with",
  "[put|count] me down for {q}, and let {who} [hold|keep] us to it",
];

/** What a speaker says of a proposal that it cannot support; `{q}` quotes it. */
export const RESERVATIONS: readonly string[] = [
  "I [cannot|do not] yet [follow|go along with] the proposal {q}, since it [leaves|lets] {who} carry [what|a weight that] others should [share|carry]",
  "with {q} I [still|continue to] have [trouble|difficulty]: I do not see [how|in what way] it [helps|protects] {stake}",
  "my [doubt|hesitation] about {q} [stands|remains] until I [hear|learn] what {who} would [say|think] of it",
  "on {q} I hold back, for it [decides|settles] more about {stake} than we have [examined|talked through]",
];
