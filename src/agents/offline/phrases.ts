import type { Stance } from "./stance.ts";

/** Sentence templates by the side they are spoken for. */
export type BySide = Readonly<Record<Stance["mode"], readonly string[]>>;

/** First sentences: what the speaker stands for. */
export const INTROS: BySide = {
  for: [
    "I [speak|stand here] for {act}, and I do so for the sake of {who} [first of all|above all|before anyone else]",
    "my [position|answer] is [plain|simple]: {own}, and I hope to [show|say] why {who} [have|would have] [every reason|good cause] to [agree|welcome it]",
    "{own}: that is what I [shall|will] [defend|argue] [today|here], and {stake} is where I [begin|start]",
    "[let me begin|I begin] with {stake}, because it is [there|on that ground] that the case for {act} is [won|made]",
    "the question [before us|tonight] sounds [technical|abstract], but it [concerns|touches] {stake}, and that is why I [believe|hold] that {own}",
    "[few|not many] decisions would [mean|change] as much for {who} as this one, and I [come down|stand] [firmly|without hesitation] on the side of {act}",
  ],
  against: [
    "I [speak|stand here] against {act}, and not because I [think lightly of|undervalue] {stake}, but because I [take|want] it [seriously|protected]",
    "my [position|answer] is [plain|simple]: {own}, and {who} are [the first of my reasons|where my reasons begin]",
    "{own}: I [shall|will] [defend|argue] that [today|here] on behalf of {who}, who [seldom|rarely] [get|have] the floor in this debate",
    "it is [easy|tempting] to [like|applaud] the idea of {act}; my [task|purpose] is to [ask|look at] what it would [do|mean] for {who} once the applause is over",
    "[let me begin|I begin] where {act} would [be felt|land] first, with {who}, and with {stake}",
    "[good|kind] intentions are not in [dispute|doubt] here; what I [dispute|doubt] is that {act} would [serve|help] {stake}",
  ],
  thesis: [
    "I [shall|will] [argue|defend] one [claim|proposition], and it can be put in a [single|plain] sentence: {own}",
    "{own}: that is the [view|position] I [hold|defend], and I [hold|defend] it with {who} in [mind|view]",
    "when I [think|ask] about {stake}, and about {who}, I come to one [conclusion|answer]: {own}",
    "my [answer|position] is that {own}, and the [reasons|grounds] for it lie closer to {who} than to any [textbook|slogan]",
    "[let me begin|I begin] with {stake}, for whoever [takes|looks at] that with [care|patience] will [find|see] that {own}",
    "[people|many] [come|turn] to this question with their minds [made up|half made up]; I ask {who} only to [follow|test] the reasons by which {own}",
  ],
};

/** Sentences that grant something before going on. */
export const CONCESSIONS: BySide = {
  for: [
    "[admittedly|granted], {it} would [ask|demand] something of {who}, and it would be [dishonest|wrong] to [deny|hide] that; but [asking|demanding] something is not the same as [taking|costing] more than it gives",
    "I [grant|concede] that the first [weeks|months] of {it} would be [awkward|uneven] for {who}, and I would rather [plan|prepare] for that than [pretend|promise] otherwise",
    "it [may|might] well be that {it} needs [exceptions|adjustments] for {who}; a plan that [needs|allows] [refining|adjustment] is still a [better plan|better thing] than none",
    "none of this [makes|renders] {it} [perfect|painless], and {who} should [be told|hear] that [plainly|in advance]; it only has to be [better|less bad] than {now}",
    "[some|certain] [worries|objections] about {it} are [sincere|reasonable], especially among {who}, and the [fair|right] response is to [build|write] the answers into the [plan|details]",
    "I do not [say|claim] that everyone who [doubts|opposes] {it} is [careless|selfish]: [many|plenty] of {who} [simply|only] want to [know|be told] how it would [work|go], and they are [right|entitled] to [ask|insist]",
  ],
  against: [
    "[admittedly|granted], {now} leaves {who} with [real|genuine] [complaints|grievances], and it would be [dishonest|wrong] to [deny|hide] that; a [bad|doubtful] remedy does not become a [good|sound] one on that account",
    "I [grant|concede] that {it} might [help|relieve] some of {who}; the [question|difficulty] is what it would [do to|cost] the [others|rest]",
    "the [people|campaigners] behind {it} [mean|intend] well by {who}, and I [respect|honour] that, which is [precisely|just] why their [plan|means] should be [examined|tested] and not merely [admired|praised]",
    "something should [be done|change] for {who}, and I do not [defend|excuse] every [corner|detail] of {now}; I [only|merely] deny that {it} is [the something|what is needed]",
    "if {it} could be [tried|introduced] without [touching|harming] {who}, I would [hesitate|be slower] to [object|refuse]; as [designed|described], it cannot",
    "[some|certain] [hopes|arguments] for {it} are [attractive|reasonable], also to {who}, and I would not [mock|dismiss] them; I would [ask|want] them to be [followed|thought] through to the end",
  ],
  thesis: [
    "[admittedly|granted], there are [days|cases] on which {who} would [say|report] the opposite, and it would be [dishonest|wrong] to [deny|hide] them; they do not [alter|change] the [balance|main point]",
    "I [grant|concede] that {it} can be [overstated|pushed too far], and among {who} it [sometimes|now and then] is; a [measured|careful] version of it [remains|survives]",
    "[someone|a critic] might [answer|reply] that {who} see the matter [differently|in another light], and some [do|may]; what counts is [why|on what grounds], and there {it} has the [better|stronger] reasons",
    "it would be [too easy|cheap] to [say|claim] that nothing [speaks|can be said] against {it}: {who} could [name|offer] an objection or two, and they [deserve|should get] an [answer|honest reply]",
    "the other view has [something|a good deal] [going|to be said] for it, above all for {who}, and I [learn|take something] from it; it [falls|stops] [short|just short] of [unsettling|refuting] {it}",
    "I do not [need|wish] to [claim|pretend] that {it} [settles|answers] everything that {who} might [ask|wonder]; it [settles|answers] what is [asked|at issue] here",
  ],
};

/** First sentences of an answer: who said what, in quotation, and what is made of it. */
export const REPLIES: readonly string[] = [
  "{label} [says|argues|maintains|tells us] that {q}, and [on first hearing|at first sight] {who} [might|could] well [nod|agree]",
  "let me take {label} at [full strength|the strongest point], for {who} [deserve|are owed] no less: {q}, we [are told|heard]",
  "{label} has [rested|built] a good deal on one [sentence|thought], namely that {q}, and {who} should [look|hear] [twice|again]",
  "I [listened with care|sat up] when {label} [said|claimed] that {q}, because it [concerns|touches|bears on] {who}",
  "the [heart|core|centre] of what {label} [said|argued], as {who} would [hear|understand] it, was this: {q}",
  "[on behalf of|speaking for] {who} one [wants|is tempted] to ask {label} for the [reason|grounds] behind the [words|claim] that {q}",
  "{label} [asks|invites|wants] {who} to [accept|believe] that {q}, and I [would like|want] to [slow down|stop] there for a moment",
  "[suppose|let us suppose] {label} is [right|correct] that {q}; [even then|even so], nothing [yet follows|is yet settled] for {who}",
  "when {label} [says|contends] that {q}, [part|some] of it is [true|sound] and the [important|decisive] part is [missing|left out]",
  "{label} [raises|makes] a point that {who} [would|may] want [answered|met] when [saying|arguing] that {q}",
  "against {label}, who [holds|maintains] that {q}, I have [two things|something] to [say|set], and {who} are my [witnesses|reason]",
  "[everything|much] in the [case|argument] of {label} [hangs|turns] on the [assumption|assertion] that {q}, and {who} [need not|may not] [share|grant] it",
];

/** First sentences of a short answer: they lead from what was said to a line of thought. */
export const SHORT_REPLIES: readonly string[] = [
  "to {label} I would [answer|reply], for the sake of {who}, with {theme}",
  "what {label} [says|raises] [brings|leads] me to {theme}, and so to {who}",
  "{label} [overlooks|passes over] {theme}, which {who} [do not|cannot]",
  "[before|until] {label} [persuades|convinces] me, I have to [face|reckon with] {theme}, and {who} [know|see] why",
  "I hear {label}, and I [think|am reminded] of {theme} as {who} [know|see] it",
  "[beside|against] what {label} says I [set|put] {theme}, which {who} [would|might] [mention|name] first",
  "{label} [may be|is] right about [much|a good deal], but not about {theme}, as {who} can [tell|see]",
];

/** The same for someone on the same side. */
export const SHORT_AGREEMENTS: readonly string[] = [
  "I [am with|agree with] {label}, and would [add|put beside it] {theme}, for {who}",
  "what {label} says [fits|goes well with] {theme}, as {who} [know|see] it",
  "{label} is [right|on firm ground], and I [think|am put in mind] of {theme}, for which {who} [listen|look]",
  "[yes|indeed], and to what {label} says I [add|join] {theme}, with {who} in mind",
];

/** Second sentences of an answer: what is wrong with the argument. */
export const TURNS: readonly string[] = [
  "the [observation|point] may be [right|sound] and the [inference|conclusion] still [wrong|too quick]: from [one|a] [side|part] of the matter it [jumps|leaps] to the whole, and {who} [drop|fall] out of [sight|view] on the way",
  "what is [described|named] there is a reason for [care|attention], and I [gladly|readily] [take|accept] it as that; it is not a reason for the [opposite|rival] conclusion as far as {who} are concerned",
  "the same [thought|consideration] [cuts|works] the other way [just as well|no less]: [ask|look at] {who}, and it [becomes|turns into] an argument for my side",
  "[counted|weighed] honestly, the [cost|risk] [mentioned|invoked] there has a [counterpart|twin] that was [not mentioned|passed over], and {who} [know|feel] the [twin|second one] better than the first",
  "that would [settle|decide] the matter if {who} had no [other|further] [interests|needs] than the one [named|described], but [they do|of course they have]",
  "the [word|step] that does the work there is [left|kept] [undefended|unexamined], and once {who} [ask|press] for its [reasons|grounds], the argument [thins out|loses its force]",
  "it [shows|establishes] that the matter is [difficult|serious], which I never [denied|doubted]; it does not [show|establish] which way {who} should [decide|turn]",
  "[there is|I see] a [gap|missing link] between that [premise|sentence] and what is [concluded|drawn] from it, and in the [gap|space between] stand {who}, who [fit|match] neither",
  "the [argument|reasoning] [assumes|takes for granted] that {who} would go on [acting|behaving] [exactly|just] as before, and [people|they] [do not|never quite do]",
  "[one|a] [striking|vivid] case has been [made|allowed] to [speak|stand] for all, and {who} in the [ordinary|remaining] cases have been [talked|passed] over",
  "I would [ask|put to] {label} a [plain|simple] question: who among {who} would [notice|say] the same if [asked|they were asked] [today|this evening]",
  "[half|part] of that [objection|argument] is [aimed|directed] at a position [nobody|no one] here [holds|defends], and the other [half|part] is [answered|met] by looking at {who}",
  "even if every [word|detail] of it [stood|held], it would [weigh|count] [less|for less] than {stake}, and that is the [comparison|measure] {who} have to [make|live by]",
  "the [difficulty|trouble] is not with the [fact|worry] but with its [size|weight]: [beside|against] {stake} it is [smaller|lighter] than it was made to [look|sound]",
];

/** Answers to someone on the same side. */
export const AGREEMENTS: readonly string[] = [
  "{label} [said|put it well] that {q}, and I would [go|take it] a step further for {who}",
  "I can [build|follow] on what {label} [said|offered], that {q}, because it [opens|touches] the [question|matter] of {stake}",
  "when {label} [says|remarks] that {q}, I [hear|find] in it [something|a thought] that {who} would [recognise|share]",
  "[yes|indeed], and what {label} [noticed|brought up], that {q}, [leads|brings] me to {who}",
  "I had not [thought|seen it] that way before {label} [said|suggested] that {q}, and it [bears|throws light] on {stake}",
  "{label} is [right|on to something] that {q}, though I would [add|draw] one [qualification|distinction] for {who}",
];

/** Last sentences of an opening. */
export const OPENING_ENDS: readonly string[] = [
  "these are the [grounds|reasons] on which I [rest|build], and I [invite|ask] anyone who [doubts|disputes] them to [begin|start] with {who}",
  "in what [follows|comes] I shall [return|come back] to {stake}, since it is there that the [two sides|answers] [part|differ] most",
  "I ask for no more than a [patient|fair] hearing for {who}, and for {stake}",
  "whatever else is [said|raised] [today|in this debate], let it [answer|speak] to {who}",
  "that is [where|the ground on which] I [stand|begin], with {who} on one [side|hand] and {stake} on the other",
];

/** First sentences of a closing, without anything to recall. */
export const CLOSING_STARTS: readonly string[] = [
  "at the [end|close] of this [debate|exchange] I [come|go] back to where I [began|started]: {own}, and {who} are the reason",
  "[looking|when I look] back over what has been [said|exchanged], I [find|see] my [first|main] point [standing|unharmed]: {own}, as {who} would [say|put it]",
  "we have [heard|covered] a good deal, and the [core|substance] of it comes down to {stake}, and so to this: {own}",
  "if one [thing|thought] should [stay|remain] from these rounds, let it be that {own}, for {who} most of all",
];

/** Closings that name the speaker's lines of thought. */
export const THEMES: readonly string[] = [
  "my case [rested|was built] on two [points|considerations] that {who} can [check|weigh] for themselves: {t1} and {t2}",
  "I [spoke|argued] of {t1}, and I [spoke|argued] of {t2}; [both|the two] [lead|point] to the same [place|answer] for {who}",
  "[take|put] together {t1} and {t2}, and {who} have [reason|ground] enough",
  "{t1} and {t2}: these were my [themes|grounds], and they [belong|hold] together as {who} would [see|have] it",
];

/** Closings that recall the speaker's own words. */
export const RECALLS: readonly string[] = [
  "I [said|argued] that {q}, and nothing [said|raised] since has [shaken|removed] it",
  "[earlier|in the rounds] I [put|offered] the point that {q}; it was [disputed|tested], and it [held|stands]",
  "my [own|first] words were that {q}, and I would [say|repeat] them now with more [confidence|reason] than before",
  "it [remains|is still] true, as I [held|argued], that {q}",
  "I [rested|built] my case on the [thought|observation] that {q}, and that [foundation|ground] has [borne|carried] the weight",
];

/** Closings that recall the other side's words. */
export const ANSWERED: readonly string[] = [
  "{label} [replied|held against this] that {q}; I have [tried|done my best] to [answer|meet] that, and the [answer|reply] [has not been|was never] [taken up|disproved]",
  "the [strongest|best] thing {label} [said|brought] was that {q}, and I [grant|give] it its due: it [narrows|qualifies] my claim without [overturning|cancelling] it",
  "{label} [pressed|leaned] on the point that {q}, and yet what [follows|comes] from it is [smaller|more modest] than what was [drawn|concluded]",
  "as for {label} and the [claim|words] that {q}, I [leave|invite] the listener to [ask|judge] whether {who} would [find|see] themselves in it",
];

/** Last sentences of a closing. */
export const CLOSING_ENDS: BySide = {
  for: [
    "I ask you to [decide|choose] for {act}, with [open|clear] eyes about its [costs|difficulties] and a [clear|steady] view of what {who} would [gain|receive]",
    "let the [decision|answer] be one that {who} could [thank|remember] us for: let it be {act}",
    "for {who}, and for {stake}, the [better|braver] answer is yes",
    "[weigh|set] the [effort|trouble] of {it} against {stake}, and I believe you will [come|arrive] where I have [come|arrived]",
  ],
  against: [
    "I ask you to [decline|turn down] {act}, and to [give|offer] {who} something [better|more careful] in its place",
    "let the [decision|answer] be one that {who} can [live|work] with: let it be a [considered|careful] no to {it}",
    "for {who}, and for {stake}, the [better|wiser] answer is no",
    "[weigh|set] the [promise|hope] of {it} against {stake}, and I believe you will [prefer|choose] the [patient|gentler] road",
  ],
  thesis: [
    "I ask you to [accept|take away] this much, for the sake of {who}: {own}",
    "[weigh|set] the reasons side by side, give {stake} its [due|place], and I believe you will [find|agree] that {own}",
    "for {who}, and for anyone who [cares|thinks] about {stake}, the [sounder|better] answer is {it}",
    "I [rest|leave] my case with {who}, and with the [plain|simple] thought that {own}",
  ],
};
