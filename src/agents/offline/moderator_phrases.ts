/** What a moderator says: it names each side and what it said, and decides nothing. */
export const MODERATOR = {
  welcome: [
    "[welcome|good evening] to this discussion, which [puts|takes up] a question that [concerns|touches] {who}: {topic}",
    "the question before us is {topic}, and it [matters|is of consequence] to {who} and to anyone who [cares|thinks] about {stake}",
    "we are here to [consider|examine] {topic}, a [question|matter] on which [thoughtful|reasonable] people, {who} among them, [differ|disagree]",
  ],
  side: [
    "{label} will [speak|argue] for the [view|position] that {q}",
    "{label} [holds|maintains] that {q}, and will [say|show] why",
    "{label} [comes|takes the floor] to [argue|make the case] that {q}",
  ],
  background: [
    "[behind|beneath] the [wording|motion] lies a [practical|plain] concern, {stake}, which {who} [weigh|meet] every day",
    "it is a question about {stake}, but also about how {who} are [heard|treated] when [decisions|rules] are made",
    "{who} have a [direct|personal] interest in the answer, since {stake} [depends|turns] on it",
  ],
  task: [
    "a [good|useful] debate will not [settle|close] it; it can [show|make plain] what each answer would [cost|ask of] {who} and what it would [bring|give] them",
    "the [sides|speakers] will [present|state] their grounds first, then [test|examine] each other's, with {who} as the [measure|touchstone]",
    "what I hope for is [clarity|light] on one [thing|matter] above all: what [either|each] answer would [change|mean] for {who}",
  ],
  rules: [
    "I ask [both|all] sides to [answer|address] the argument and not the person, and to keep {who} in [mind|view]",
    "each side [has|will have] its [say|turn] and its [reply|answer]; my [part|task] is to [keep|hold] the [thread|order], not to [take|choose] sides on {stake}",
    "[reasons|arguments] will count for more than [volume|confidence] here, and [questions|points] about {stake} are [especially|particularly] welcome",
  ],
  roundStart: [
    "round {n} [turned|centred] on {stake} and on what it [means|asks] for {who}",
    "in round {n} the sides [came|moved] [closer|nearer] to the [point|matter] where they [differ|part]: {stake}",
    "[looking back on|to sum up] round {n}, the [exchange|discussion] [stayed|kept] close to {who}",
  ],
  roundOpen: [
    "round {n} [begins|opens]: the [question|matter] is still {topic}, and this time I would [like|ask] the speakers to [stay|keep] close to {stake}",
    "we [come|turn] to round {n} of the discussion of {topic}; what [counts|matters] now is what each answer [means|changes] for {who}",
    "this is round {n}, and {topic} is still before us; let {stake} be the [measure|test] in it",
    "in round {n} on {topic} I would [like|ask] to hear more about {who}, whom [both|all] answers [concern|reach]",
  ],
  roundOrder: [
    "{label} has the [floor|first word]",
    "the [floor|word] goes to {label}",
    "{label} [begins|opens], and then it is for the [others|other side] to [reply|answer]",
    "[first|to start] we hear {label}, with {who} [listening|in mind]",
  ],
  interrupts: [
    "I [interrupt|stop] {label} here for a moment: {q} is something {who} would want to see [supported|explained] before we go on",
    "before the next turn I [ask|turn to] {label}: on what does the [statement|point] {q} [rest|stand]",
    "a [word|remark] from the chair to {label}: {q} [calls|asks] for an answer, and it should [come|be given] now, while {who} [remember|follow]",
    "{label}, the chair has to [come back|return] to {q}; please [say|tell us] whether you [keep|hold] to it",
  ],
  judged: [
    "this [record|account] [names|gives] what was argued and leaves the [weight|verdict] to the scores and comparisons beside it",
    "so much for what was said; how well it was said is [answered|treated] in the scores, and who [stands|comes out] better in the comparison",
    "these are the [lines|reasons] on which the [comparison|judgement] of the sides [rests|is built], with {stake} at the [centre|heart] of it",
  ],
  summaryStart: [
    "this debate [asked|considered] {topic}, and it [kept|returned] to {stake} and to {who}",
    "the [question|matter] was {topic}, and the [sides|speakers] [gave|offered] it a [full|serious] hearing, with {who} [often|never far] in view",
    "to [gather|sum up] what was said on {topic}: the [discussion|exchange] [moved|ranged] from {stake} to what {who} may [expect|fear]",
  ],
  said: [
    "in round {n} {label} [argued|held|maintained] that {q}",
    "{label} [put|brought] forward in round {n} that {q}",
    "[on|for] the side of {label} it was [said|argued] in this round, number {n}, that {q}",
    "the [point|case] that {label} [made|stressed] in round {n} was that {q}",
  ],
  saidMore: [
    "{label} [added|went on to say], still in round {n}, that {q}",
    "from the same side [came|we heard] the [point|thought] that {q}, as {label} put it in round {n}",
    "in round {n} {label} [also|further] [held|argued] that {q}",
    "[answering|in reply], {label} [said|answered] in round {n} that {q}",
  ],
  folded: [
    "{label} [argued|held|maintained] that {q}",
    "{label} [put|brought] forward that {q}",
    "{label} [told us|set out] that {q}",
  ],
  overall: [
    "[over|across] the whole debate, {label} [rested|built] the case on the [thought|point] that {q}",
    "{label} [stood|argued] throughout for one [line|idea], [best|most fully] put in the words {q}",
    "the [thread|backbone] of what {label} [said|offered], from first to last, was that {q}",
  ],
  overallMore: [
    "[with it|beside that] {label} [set|placed] a [further|second] consideration: {q}",
    "[taken|considered] together with it, {label}'s [claim|reminder] that {q} [gave|lent] the side its [shape|weight]",
    "in the [last|later] turns {label} [returned|came] to the [point|view] that {q}",
  ],
  differ: [
    "the sides [agree|are at one] that {stake} [matters|counts]; they [differ|part] over what it [asks|requires] of {who}",
    "what [divides|separates] them is [less|not so much] the [value|importance] of {stake} than the [road|way] to it, and who among {who} should [carry|bear] the [cost|effort]",
    "[common|shared] ground was [visible|found] on {stake}, while the [weight|place] of {who} in the [balance|account] stayed [open|disputed]",
  ],
  end: [
    "I [leave|hand] the [weighing|judgement] of these reasons to others, and [thank|am grateful to] the speakers for [keeping|holding] to {stake}",
    "which of these [reasons|lines] is the [stronger|weightier] is not for the [chair|moderator] to say, and {who} [may|will] [judge|decide] for themselves",
    "the [arguments|reasons] are on the table; their [weight|force] is for the [listener|judges] to [decide|find], with {who} in mind",
  ],
  next: [
    "[one|a] question [remains|stays] for what follows: what [exactly|precisely] would [change|improve] for {who}",
    "it [would|might] help the next [turns|round] if [both|all] sides [said|told us] how {who} could [tell|judge] which of them was right",
    "the next [round|turns] may [show|tell] whether the [difference|gap] over {stake} can be [narrowed|closed]",
  ],
} satisfies Readonly<Record<string, readonly string[]>>;
