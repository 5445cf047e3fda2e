import { type Schema, schema } from "./schema.ts";

/** Lines of thought that support any proposition, `{own}`: whichever side holds it. */
export const SCHEMAS_THESIS: readonly Schema[] = [
  schema("the ordinary case", "ordinary typical usual average case everyday exception", {
    claim: [
      "the [ordinary|everyday] case should [decide|guide us], not the [striking|exceptional] one, and in the [ordinary|everyday] case, as {who} [meet|know] it, {own}",
      "[debates|arguments] like this one are [won|carried] by [vivid|rare] stories, but {who} live in the [wide|large] middle between them, and there it is [plain|clear] that {own}",
      "[leave out|set aside] the [best|finest] and the [worst|darkest] cases and [look|attend] to what {who} [see|deal with] on a [normal|common] day: {own}",
    ],
    reason: [
      "[exceptions|unusual cases] [impress|strike] us because they are [rare|unlike the rest], which is [exactly|just] why they [tell|teach] us so little about {stake} [in general|as a whole]",
      "a [view|claim] that [holds|works] only [under|in] [ideal|perfect] conditions is a [wish|hope], and one about {stake} must [hold|work] on a [tired|hurried] Tuesday as well",
      "what [counts|matters] for a [general|broad] judgement is what [keeps|goes on] happening when [nobody|no one] is [watching|on show], and there {it} is on [firm|solid] ground",
    ],
    example: [
      "[follow|walk beside] {one} through a [normal|whole] week and [note|write down] what [bears on|touches] the question; the [notes|entries] will [mostly|largely] [support|favour] {it}",
      "{where}, on a [day|morning] like [any other|most], one [sees|meets] [no|little] drama at all, only {who} [going|getting] on with things in a way that [fits|bears out] {it}",
    ],
    so: [
      "[unless|until] the other side can [speak|account] for the [usual|common] case, its [exceptions|stories], however [moving|true], leave {it} [standing|where it was] for {who}",
      "[judged|measured] by what {who} [mostly|usually] [meet|find], {it} [stands|holds]",
    ],
  }),
  schema("what the words mean", "mean meaning definition define word term concept sense", {
    claim: [
      "much [turns|depends] on what we [take|understand] the [words|terms] to mean, and on the [sense|meaning] that {who} [actually|really] [use|have in mind], {own}",
      "[half|a good part] of the [quarrel|disagreement] [dissolves|clears up] once the [terms|words] are [plain|fixed]; what [remains|is left] of it [speaks|counts] for {it}, as {who} would [agree|see]",
      "one can [win|escape] any argument by [redefining|stretching] its words, so let me use them as {who} do: in that [plain|ordinary] sense {own}",
    ],
    reason: [
      "a [word|term] that is [stretched|narrowed] to [suit|save] a conclusion [stops|no longer does] its work, and then nothing [useful|definite] is being [said|claimed] about {stake}",
      "[ordinary|common] usage has been [tested|worn smooth] by [long|daily] use, and it [marks|keeps] the [distinctions|differences] on which {stake} [depends|turns]",
      "if the [same|very same] word means one thing in the [premise|first step] and another in the [conclusion|last], the [step|argument] between them is [broken|empty], and {it} does not need [such|that kind of] a step",
    ],
    example: [
      "[ask|let us ask] {one} what the [question|words] would [mean|come to] in practice, and the [answer|reply] is [concrete|short] enough to [check|test]: that is the [sense|meaning] in which {it} is [meant|offered]",
      "{where} [nobody|no one] [needs|asks for] a dictionary; {who} [know|can tell] what is [being asked|at issue], and their [use|sense] of the words [favours|suits] {it}",
    ],
    so: [
      "with the [terms|words] [held|kept] [still|steady], {it} is the [natural|straightforward] conclusion, and {who} [need|require] no [trick|special vocabulary] to [reach|follow] it",
      "[whoever|anyone who] [disputes|denies] {it} should [say|tell] {who} which [word|term] is being used [differently|in another sense], and why",
    ],
  }),
  schema("those who live with it", "experience people affected live close personal know", {
    claim: [
      "those [closest|nearest] to the matter should be [heard|believed] first, and from where {who} stand, {own}",
      "there is a [difference|gap] between [discussing|theorising about] a thing and [living|working] with it, and {who}, who do the latter, [give|have] [good|solid] grounds to say that {own}",
      "I [would|should] rather [trust|begin with] what {who} [notice|learn] over the years than what [outsiders|we] [suppose|guess] in an evening, and it [points|leads] to {it}",
    ],
    reason: [
      "[experience|long acquaintance] [corrects|trims] theory at [just|exactly] the points where theory is [smoothest|most confident], and {stake} is [full|made up] of such points",
      "people who [bear|feel] the [consequences|results] of being wrong about {stake} check their beliefs [more carefully|against more cases] than people who do not, and that [lends|gives] weight to {it}",
      "an [observer|onlooker] [sees|samples] a [moment|slice]; those [inside|involved] see the [run|sequence] of moments, and only the [run|sequence] [shows|reveals] what {stake} is [like|really doing]",
    ],
    example: [
      "[sit|spend time] with {one} and [listen|ask few questions]: the [account|story] may be [untidy|plain], but it [leads|comes back] again and again to {it}",
      "what can be [learnt|seen] {where} in one [unhurried|attentive] hour [outweighs|is worth] a [stack|shelf] of [general|sweeping] statements, and it [speaks|tells] for {it}",
    ],
    so: [
      "taking {who} seriously [means|amounts to] taking {it} just as seriously",
      "an [account|argument] that {who} would not [recognise|know] as their own has to [explain|say] why they are [mistaken|wrong] about their own lives before it can [touch|displace] {it}",
    ],
  }),
  schema(
    "the question compared with what",
    "compare comparison baseline alternative better worse than instead",
    {
      claim: [
        "the [right|useful] question is always compared with what, and against the [real|available] alternatives, not the [ideal|imagined] ones, {who} can see that {own}",
        "[nothing|no arrangement] looks good [beside|next to] perfection, so let us [compare|measure] like with like, as {who} must; then {own}",
        "[faults|drawbacks] can be [found|listed] on every side, and {who} [know|could recite] them; what [decides|matters] is which side has the [smaller|more bearable] ones, and that [favours|supports] {it}",
      ],
      reason: [
        "[criticism|an objection] that would [hit|apply to] every alternative just as [hard|well] does not [count|tell] against {it} in particular, however [true|sharp] it is about {stake}",
        "we [forget|overlook] the costs of what we are [used to|not discussing], so the thing [under|in the middle of] debate always [looks|seems] [worse|more doubtful] than the [rest|background], {stake} included",
        "a [fair|proper] comparison [holds|keeps] the [standard|yardstick] fixed, and once {stake} is [judged|measured] by one [standard|yardstick] on both sides, {it} [gains|looks stronger]",
      ],
      example: [
        "{one} does not [choose|decide] between {it} and a [dream|perfect world]; the choice is between two [concrete|ordinary] [days|mornings], and one of them is [better|easier to live with]",
        "[put|set] the two possibilities side by side {where} and ask {who} which they would [keep|choose], knowing both; the [answer|choice] is not [hard|in doubt]",
      ],
      so: [
        "[unless|until] a [better|real] alternative is [named|put on the table], [complaints|doubts] about {it} are [complaints|doubts] about the [human condition|world], and {who} have [enough|plenty] of those",
        "on the [comparison|question] that {who} [really|actually] [face|must settle], the [advantage|balance] is with {it}",
      ],
    },
  ),
  schema("where the burden of proof lies", "proof burden evidence show prove doubt certain know", {
    claim: [
      "the [heavier|greater] burden of proof lies with those who [deny|reject] {it}, because what {who} can [see|check] for themselves already [suggests|indicates] that {own}",
      "I do not [claim|promise] certainty, and {who} do not [need|ask for] it: on the [reasons|grounds] we have, it is [more likely|likelier] than not that {own}",
      "to [doubt|question] everything equally is to [learn|decide] nothing, and {who} must [act|decide] on the better-[supported|grounded] view, which is that {own}",
    ],
    reason: [
      "a [simple|plain] explanation that [covers|fits] what we [observe|see] about {stake} should be [preferred|kept] until a [better|fuller] one [appears|is offered], and [none|no such one] has been [here|so far]",
      "[scattered|several] [modest|independent] reasons that [point|lean] the same way are [together|jointly] [stronger|harder to dismiss] than one [grand|single] proof, and {it} has [several|more than a few]",
      "[demanding|asking for] proof beyond all [doubt|question] of one side only is a way of [not|never] [deciding|being moved], and {stake} does not [wait|stand still] while we [indulge|practise] it",
    ],
    example: [
      "{one} [weighs|settles] a dozen [uncertain|half-known] things before [noon|lunch] by asking which is [likelier|better supported], and by that [humble|everyday] method {it} [comes|wins] through",
      "[suppose|imagine] we had to [bet|decide] {where}, with {who} [looking on|holding the stakes]: [few|hardly any] would [put|place] their money [against|on the denial of] {it}",
    ],
    so: [
      "[unless|until] something [weightier|more solid] is [put|laid] on the other [side|scale], {who} are [right|entitled] to [accept|go by] {it}",
      "the [reasonable|modest] conclusion, for {who} and for us, is {it}, [held|kept] with an open [mind|ear]",
    ],
  }),
  schema("the way it comes about", "cause because mechanism effect lead how why work produce", {
    claim: [
      "it is not [enough|sufficient] to say that something is so; one should be able to say how, and here {who} can [follow|trace] the steps by which {own}",
      "[behind|beneath] the [surface|slogans] there is a [mechanism|working part] that {who} would [recognise|know], and it is the [reason|very reason] why {own}",
      "[coincidence|chance] may [explain|account for] one case, or two; for {who}, who have [seen|lived] many, the [better|likelier] explanation is that {own}",
    ],
    reason: [
      "[people|all of us] [respond|react] to what is [near|easy], [rewarded|noticed] and [expected|repeated], and in the matter of {stake} all of these [pull|push] in the direction of {it}",
      "each [step|link] is [small|modest] and [ordinary|familiar]: a [pressure|habit] here, a [shortcut|convenience] there, and {stake} has [shifted|changed] before anyone [chose|announced] it",
      "where we can [name|describe] the [cause|mechanism] we can also say what would [weaken|strengthen] it, and such [talk|predictions] about {stake} can be [checked|tested], which [sets|puts] {it} above mere [opinion|impression]",
    ],
    example: [
      "[watch|observe] {one} and the [chain|sequence] is [visible|plain]: first a [small|slight] [choice|pressure], then a [reply|response] to it, then a [pattern|habit], and in the end [just|exactly] what {it} [says|predicts]",
      "{where} the [cause|process] can be [seen|caught] at work on {who}, [quietly|slowly] and without [villains|anyone's intention], as {it} would [lead one|have us] to expect",
    ],
    so: [
      "[whoever|anyone who] [rejects|denies] {it} has to [say|show] which link is [missing|broken], and {who} have been [given|shown] no such thing",
      "because the how is [clear|understood], the that is [no longer|hardly] in [doubt|question] for {who}, and {it} [stands|follows]",
    ],
  }),
  schema("cases at the edge", "exception counterexample edge rare extreme case example", {
    claim: [
      "[counterexamples|awkward cases] exist, and {who} could [list|name] some, but they [sit|lie] at the [edge|margin]; in the [main|broad body of cases], {own}",
      "a [general|broad] truth is not [overturned|cancelled] by [its|a few] exceptions any more than a [climate|summer] by one [cold|wet] afternoon, and {who} [know|feel] that {own}",
      "it is [fair|right] to [raise|mention] the [hard|difficult] cases, and [fair|right] to [ask|notice] how [many|common] they are among {who}; the [answer|count] leaves {it} [intact|standing]",
    ],
    reason: [
      "an [exception|odd case] [usually|often] has its own [particular|local] cause, and once that cause is [found|named], the case [confirms|marks out] the rule about {stake} rather than [breaking|refuting] it",
      "[memory|conversation] [keeps|stores] what is [odd|surprising] and [drops|discards] what is [regular|expected], so our [impressions|stories] of {stake} [lean|tilt] towards the exceptions",
      "if every [claim|judgement] with an exception had to be [given up|withdrawn], we could say [nothing|very little] about {stake} at all, and the [denial|opposite] of {it} would [fall|go] first",
    ],
    example: [
      "[someone|a listener] will [mention|bring up] {one} for whom [things|matters] [went|turned out] otherwise, and I [believe|accept] the story; I only ask how many [others|quieter stories] [stand|lie] behind it, for they [support|tell for] {it}",
      "{where} one may [well|indeed] [see|meet] the odd case, and all around it {who} who [make|are] the rule that {it} [states|describes]",
    ],
    so: [
      "[exceptions|hard cases] [ask|call] for [care|tact] in [applying|stating] {it}, and {who} are [owed|due] that care, but they [do not|cannot] [ask|call] for its [withdrawal|surrender]",
      "[grant|admit] every [exception|odd case] that {who} can [honestly|fairly] [offer|name], and {it} still [describes|covers] the rest",
    ],
  }),
  schema("the long view", "long future time years trend history short", {
    claim: [
      "over a [day|week] almost anything can [seem|look] true; over the [years|long run] that {who} [measure|count] their lives in, {own}",
      "[first|early] impressions [mislead|deceive] here, and [time|patience] [corrects|improves] them: the longer {who} [look|watch], the [clearer|plainer] it becomes that {own}",
      "the [direction|drift] matters more than the [moment|snapshot], and for {who} the [direction|drift] of things [bears out|confirms] {it}",
    ],
    reason: [
      "[short-run|immediate] effects are [loud|showy] and [fade|settle], [slow|long-run] ones are [quiet|unannounced] and [add up|stay], and {stake} is [mostly|chiefly] made of the [latter|second kind]",
      "a [view|judgement] formed in the [heat|excitement] of a [season|moment] [borrows|takes on] its mood, whereas one about {stake} that has [lasted|outlived] several [seasons|moods] has been [tested|tempered] by them",
      "[what|whatever] [endures|lasts] has had to [survive|withstand] [boredom|neglect], changes of [fashion|fortune] and [bad|careless] handling, and {it} has [survived|withstood] all of [them|these]",
    ],
    example: [
      "[ask|meet] {one} today and again in [five|ten] years; [moods|details] will have changed, and I [expect|would wager] that the [later|second] answer [leans|comes down] more [firmly|heavily] towards {it}",
      "compare what [stood|happened] {where} a [generation|good while] ago with what [stands|happens] there now, and [ask|let] {who} [explain|read] the difference: it [reads|looks] like a [lesson|commentary] on {it}",
    ],
    so: [
      "[patience|distance] is on the side of {it}, and {who} have more [use|need] for that than for a [quick|sharp] answer",
      "[seen|viewed] at the [length|distance] that {who} [deserve|live by], {it} is the [steadier|sounder] view",
    ],
  }),
  schema("the cost of being wrong", "risk cost wrong mistake harm danger safe careful", {
    claim: [
      "we should ask what [happens|follows] if each side is [wrong|mistaken], and for {who} the [worse|graver] mistake would be to [forget|deny] that {own}",
      "the two possible errors are not of [equal|the same] size: to [accept|act on] {it} wrongly costs {who} a [little|correction], to [reject|ignore] it wrongly costs them [much|dearly]",
      "[caution|care] itself is on my side, for {who} [lose|risk] less by [supposing|assuming] that {own} than by [supposing|assuming] the reverse",
    ],
    reason: [
      "an error that [shows|announces] itself [early|at once] can be [repaired|corrected], and an error about {stake} in the other direction [hides|spreads] until it is [expensive|late]",
      "[reasonable|sensible] people [insure|protect] themselves against what they cannot [afford|undo], not against what is merely [awkward|embarrassing], and with {stake} that [means|speaks for] {it}",
      "the [stakes|consequences] do not [make|prove] a thing true, but they [tell|show] us which [mistake|error] to [fear|guard against], and {stake} [makes|leaves] that [plain|obvious]",
    ],
    example: [
      "if {it} turns out [false|overstated], {one} will have been [a little|somewhat] too [careful|thoughtful]; if it turns out true and we [shrugged|looked away], [that person|the same person] will have [paid|suffered] for our [shrug|comfort]",
      "[weigh|consider] the two [regrets|outcomes] {where}: one can be [mended|put right] by [evening|next week], and the other {who} would [carry|remember] for [years|a long time]",
    ],
    so: [
      "even those who [remain|are] [unsure|undecided] have reason to [lean|side] with {it}, for the sake of {who}",
      "when the [scales|reasons] are [close|nearly even], let the [cost|price] of error to {who} decide, and it [speaks|decides] for {it}",
    ],
  }),
  schema(
    "judging like cases alike",
    "consistent consistency same principle similar standard fair equal",
    {
      claim: [
        "we already [judge|decide] [similar|neighbouring] cases in [this|the same] way, and {who} would [call|find] it [odd|arbitrary] to [stop|turn round] here: {own}",
        "[consistency|even-handedness] is a [modest|small] demand, and it is [enough|sufficient] for {it}: what we [grant|say] in [comparable|like] matters to {who}, we must [grant|say] in this one",
        "if the [principle|standard] is [sound|good] where it [suits|favours] us, it is [sound|good] where it does not, and {who} are [entitled|right] to [hold|keep] us to it; it [follows|means] that {own}",
      ],
      reason: [
        "a [standard|rule] that is [applied|used] only when its result is [welcome|pleasant] is not a [standard|rule], and {stake} is too [important|serious] for [preferences|taste] in [disguise|costume]",
        "[differences|distinctions] between cases must be [relevant|to the point] before they [count|matter], and those [offered|suggested] against {it} [concern|touch] the [surface|wrapping] of {stake}, not its [substance|core]",
        "people [forgive|accept] a hard [judgement|answer] more [readily|easily] than an uneven one, and they are [right|wise] to, because unevenness about {stake} [corrodes|eats away] [trust|confidence]",
      ],
      example: [
        "[change|swap] the [names|labels] and [tell|put] the [same|identical] story about {one}, and most listeners [reach|come to] {it} without [hesitation|a second thought]; the names should not [matter|make the difference]",
        "what {who} would [say|think] of a stranger {where}, they should be [ready|willing] to say of [themselves|a friend], and what they would say is [close to|in the spirit of] {it}",
      ],
      so: [
        "either {it} is [right|accepted], or we [owe|must give] {who} an account of why this case [alone|of all cases] is [different|exempt]",
        "[fairness|evenness] to {who} [asks|requires] no more than this, and it [yields|gives] {it}",
      ],
    },
  ),
  schema(
    "what we should expect to see",
    "test expect predict observe evidence see true false sign",
    {
      claim: [
        "if it were [false|otherwise], {who} would [notice|see] it in [a dozen|many] small ways, and they [do not|fail to]; what they [do|actually] see [suggests|shows] that {own}",
        "a [good|useful] claim [sticks its neck out|takes risks]: it says what {who} should [find|expect], and when we [look|go and look], {own}",
        "[let|suppose we let] {it} be [tested|tried] by its consequences, which {who} can [check|inspect] without any [expert|special] help",
      ],
      reason: [
        "a [view|theory] that [fits|explains] whatever happens [explains|tells us] nothing, while {it} [forbids|rules out] [certain|some] things about {stake} that in fact do not [occur|appear]",
        "the [signs|traces] need not be [dramatic|large], only [regular|persistent], and where {stake} is [concerned|at issue] they [are|have been] [regular|persistent] enough to [notice|count on]",
        "[honest|real] tests are those one could [fail|lose], and the [friends|defenders] of {it} can [say|name] what would [change|shake] their minds about {stake}, which is [more|rather more] than [some|the other side] can",
      ],
      example: [
        "[take|try] the [simplest|nearest] test: [ask|look in on] {one} and see whether the day [goes|runs] as {it} [says|would have it]; more often than not it [does|will]",
        "[make|write down] a [prediction|guess] about what you would [find|meet] {where} if {it} were [wrong|empty], then [go|walk over] and ask {who}; the [prediction|guess] will [need|want] [revising|an apology]",
      ],
      so: [
        "[so far|up to now] the [tests|trials] within [reach|range] of {who} have been [kind|favourable] to {it}, and a view that [passes|survives] its tests has [earned|gained] some [belief|credit]",
        "[let|have] the other side [name|offer] a test that {it} would [fail|not survive], and let {who} [run|judge] it",
      ],
    },
  ),
  schema("the sum of small things", "scale sum add many small total large widespread", {
    claim: [
      "[one|a single] instance proves [little|nothing], but these instances [add up|accumulate], and on the scale at which {who} [meet|encounter] them, {own}",
      "[size|number] changes the [nature|character] of a thing: what is [trivial|slight] once becomes [weighty|serious] when {who} [meet|have] it daily, and then {own}",
      "we [misjudge|overlook] what comes in [drops|small portions], and {who}, who [catch|collect] the [drops|portions], [know|can say] that {own}",
    ],
    reason: [
      "a [minor|slight] effect on {stake}, [repeated|multiplied] over many [people|days], is a [major|large] one, although [nobody|no one] [meets|sees] it [whole|in one place]",
      "our [attention|imagination] is [built|made] for [single|striking] events and [poor|bad] at [sums|totals], so {stake} is [regularly|often] [valued|judged] at the size of its [smallest|least] part",
      "once a [practice|pattern] is [common|general], others [adjust|adapt] to it, and their [adjustments|responses] [carry|push] its effect on {stake} [further|well] beyond the [sum|total] of the first [choices|acts]",
    ],
    example: [
      "what happens to {one} on one [afternoon|morning] is [an anecdote|nothing much]; [let|have] it happen to a [whole|full] [town|trade], week [after|upon] week, and it is {it}",
      "[count|add up] only the [cases|moments] that a [patient|quiet] observer would [see|note] {where} in a month, [multiply|scale] them by all the places where {who} [are|go], and {it} no longer [sounds|looks] [bold|exaggerated]",
    ],
    so: [
      "the [sum|total] is what {who} [live|end up] with, and the [sum|total] [speaks|decides] for {it}",
      "[whoever|anyone who] [calls|thinks] the matter [small|slight] should show {who} the [addition|arithmetic], and will [find|arrive at] {it} at the [foot|bottom] of the column",
    ],
  }),
  schema(
    "incentives and interests",
    "incentive interest motive power money profit reward pressure",
    {
      claim: [
        "look at what people are [rewarded|praised] for, not at what they [say|profess], and {who} will [tell|show] you that {own}",
        "[interests|rewards] [shape|bend] conduct more [reliably|steadily] than [intentions|ideals] do, and as things are [arranged|set up] for {who}, {own}",
        "[nobody|no one] needs to be [wicked|foolish] for this to be so: [ordinary|decent] people under the [pressures|rewards] that {who} [know|describe] will [act|behave] in ways that [bear out|confirm] {it}",
      ],
      reason: [
        "where a [reward|pressure] is [steady|constant], conduct [drifts|moves] towards it, [exceptions|saints] aside, and around {stake} the rewards [drift|point] in one direction",
        "[good|stated] intentions [hold|last] as long as they are [cheap|easy], and {stake} is [exactly|just] the sort of thing that [tests|strains] them until they [bend|give]",
        "to [understand|explain] a pattern, ask who would have to [give something up|lose] if it [changed|ended]; with {stake} the [answer|reply] makes {it} [unsurprising|easy to believe]",
      ],
      example: [
        "[put|imagine] {one} in front of two [doors|options], one [easy|rewarded] and one [right|admirable]: on a [good|rested] day the [second|better], on most days the [first|easier], and {it} [follows|takes shape]",
        "what is [praised|paid for] {where} gets [done|repeated], and what is not gets [postponed|dropped]; {who} [learn|absorb] that [quickly|early], and {it} is the [result|upshot]",
      ],
      so: [
        "as long as the [rewards|pressures] on {who} [stay|remain] what they are, {it} will [stay|remain] [true|the safer view]",
        "[hope|goodwill] is not an [answer|objection] to {it}; a [change|difference] in what {who} are [rewarded|thanked] for [might|would] be",
      ],
    },
  ),
  schema(
    "an honest trade-off",
    "trade balance gain loss benefit cost value weigh advantage drawback",
    {
      claim: [
        "there is something to be [said|granted] on both sides, and I would rather [weigh|admit] it than [hide|deny] it; when {who} do the [weighing|sum], {own}",
        "[values|goods] [collide|compete] here, and whichever way we [decide|lean] {who} [lose|give up] something; the [smaller|lesser] loss [lies|is] with {it}",
        "I [grant|concede] the [drawbacks|costs], [set|put] them on the scale beside what {who} [gain|care about], and [find|still find] that {own}",
      ],
      reason: [
        "not every [good|value] [weighs|counts] the same, and {stake} [belongs|is] among those that others [depend|rest] on, so that to [lose|damage] it is to lose [more|others] besides",
        "a [loss|drawback] that is [occasional|partial] and a gain that is [steady|general] do not [cancel|balance out], and in respect of {stake} the gain is the [steady|general] one",
        "[weighing|balancing] is not [splitting the difference|sitting on the fence]: it [ends|results] in a [judgement|decision], and when {stake} is given its [due|proper] weight, the judgement is {it}",
      ],
      example: [
        "{one} would [tell|remind] us what is [lost|missed], and [the same|that] person, asked whether to [go|change] back, would [think|pause] for a [moment|breath] and [side|come down on the side of] {it}",
        "[draw|make] the two [columns|lists] {where}, with {who} [reading|calling] out the [entries|items]; the [shorter|lighter] one is not [empty|worthless], but it is [shorter|lighter], and {it} [prevails|comes out ahead]",
      ],
      so: [
        "a [position|view] that [admits|knows] its [price|costs] is [safer|sounder] than one that [claims|pretends] to have none, and {it} [admits|knows] them before {who}",
        "[taken|all] together, and with nothing [swept|pushed] under the carpet, the [balance|account] that {who} would draw [favours|supports] {it}",
      ],
    },
  ),
  schema(
    "what would be done differently",
    "practice practical action difference policy use apply decide",
    {
      claim: [
        "[views|beliefs] show their [worth|quality] in what one [does|decides] with them, and {who} who [act|plan] on the [assumption|understanding] that {own} [do|fare] [better|more wisely] than those who do not",
        "[ask|consider] what {who} would [do|change] tomorrow if they took each side [seriously|at its word]; the [better|more sensible] day [follows|comes] from {it}",
        "this is not a [parlour game|mere exercise]: [decisions|plans] [hang|depend] on it, and {who} [need|deserve] to [hear|be told] that {own}",
      ],
      reason: [
        "a [belief|view] that [guides|steers] action well across [many|different] situations has [something|a good deal] of truth in it, and in the matter of {stake} {it} has been such a [guide|belief]",
        "the [opposite|contrary] view is [rarely|seldom] [acted|relied] on even by those who [profess|defend] it, for when {stake} is their own, they [plan|behave] as if {it} were [true|settled]",
        "[practice|use] [filters|sorts] ideas [without|more fairly than any] debate: what [misleads|fails] is [dropped|abandoned], what [helps|works] is kept, and the [practice|use] around {stake} has [kept|held on to] {it}",
      ],
      example: [
        "[hand|give] {one} both [answers|views] as [instructions|advice] for the [week|month], and one of them will be [used|kept] while the other is [politely|quietly] [folded away|forgotten]; the one in use is {it}",
        "{where} you can [watch|see] {who} [deciding|choosing] as if the matter were [closed|settled], whatever they might [say|argue] in a [debate|discussion], and their [choices|decisions] [assume|rest on] {it}",
      ],
      so: [
        "[judged|measured] by use, {it} is the view that {who} can [work|build] with",
        "[theory|talk] may [go on|continue]; the [practical|working] question has been [answered|settled] by {who}, and the [answer|verdict] is {it}",
      ],
    },
  ),
  schema(
    "the ground both sides share",
    "agree common ground both share accept difference same premise",
    {
      claim: [
        "both sides agree on more than it [seems|appears]: that {stake} [matters|counts], that {who} deserve [a straight answer|better than slogans]; and from [that|there] it is a short [way|step] to {it}",
        "I shall [start|begin] from what my opponents [themselves|too] [grant|believe] about {who}, because nothing more is [needed|required] to [see|conclude] that {own}",
        "the [disagreement|difference] is [narrower|smaller] than its [noise|volume], and what [divides|separates] us, once the common [ground|concern] for {who} is [marked|drawn], [tells|speaks] for {it}",
      ],
      reason: [
        "nobody here [thinks|says] that {stake} is [worthless|unimportant], so the [question|dispute] can only be what [serves|follows from] it, and that is a question [reason|calm thought] can [answer|settle]",
        "when two sides [share|hold] the same [premises|aims] and [differ|part] in the conclusion, one of them has [missed|skipped] a step, and the [missing|skipped] step about {stake} is not on the [path|way] to {it}",
        "a [conclusion|view] that can be [reached|approached] from [different|opposite] starting points is [safer|firmer] than one that [needs|requires] [special|partisan] assumptions, and {it} can be [reached|approached] so, [given|granted] {stake}",
      ],
      example: [
        "[bring|seat] {one} and a [convinced|stubborn] sceptic [together|at one table], ask each to [describe|name] what a good outcome [is|looks like], and the two [descriptions|answers] [overlap|agree] in [everything|most things] that {it} [needs|relies on]",
        "{where} [supporters|friends] and [critics|opponents] of the idea [share|use] the same [bench|doorway] and the same [worries|hopes], and those [worries|hopes], [followed|thought] through, [lead|carry] {who} to {it}",
      ],
      so: [
        "one need not [change|give up] one's [values|loyalties] to [accept|agree to] {it}; {who} only have to [follow|trace] them a [little|step or two] further",
        "[starting|beginning] where we all [stand|agree], and [taking|adding] nothing that {who} would [refuse|dispute], we [arrive|end] at {it}",
      ],
    },
  ),
];
