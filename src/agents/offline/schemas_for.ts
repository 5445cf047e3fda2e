import { type Schema, schema } from "./schema.ts";

/** Lines of thought in favour of a proposed change. */
export const SCHEMAS_FOR: readonly Schema[] = [
  schema(
    "the price of leaving things alone",
    "present already today status quo cost nothing neutral",
    {
      claim: [
        "{now} is not [free|costless|neutral ground]: {who} [pay for it|carry its cost|live with its price] every [day|week|working day], and [nobody|no one] [asked|consulted] them first",
        "[leaving|keeping] things as they are is [itself|also|no less] a [decision|choice|policy], and {who} [feel|live with|absorb] its [results|effects|consequences] whether they [agreed|signed up] to it or not",
        "the [strongest|plainest|first] argument for {act} is what happens [without it|in its absence]: {who} go on [paying for|absorbing|putting up with] {now}",
      ],
      reason: [
        "a cost that is [spread thin|familiar|paid in small change] [stops looking|no longer looks] like a cost, but {stake} is no less [real|important|at stake] for being [taken for granted|left off the bill|hard to price]",
        "we [notice|count|argue over] what {it} would [change|take away|disturb] because it is new, and [overlook|forget|leave out] what {now} takes away because it is [old|familiar|routine]",
        "[habit|custom|familiarity] makes {now} [look|feel|seem] like the [starting point|natural order|zero on the scale], when it was [once|also] [chosen by someone|a choice|somebody's decision] and can be chosen [again|differently|anew]",
      ],
      example: [
        "[picture|imagine|think of] {one}: nothing about {now} was [arranged|designed|settled] with [that person|such a person|this kind of day] in mind, yet that is the person whom the [cost|burden|bill] [reaches|finds]",
        "[stand|spend half an hour|watch what happens] {where} and ask [who is being served|whose convenience comes first|who does the waiting]; the answer is [seldom|rarely|hardly ever] {who}",
      ],
      so: [
        "the [comparison|choice] is not between {it} and [nothing|perfection|a blank page], but between [two sets of costs|one set of costs and another], and only one of them has been [hidden|out of sight] [until now|so far|for years]",
        "whoever [asks|wants] us to [wait|hold back|do nothing] owes {who} an account of what [waiting|doing nothing|holding back] [costs|will cost] them",
      ],
    },
  ),
  schema("a fair sharing of burdens", "fair unfair burden share bear benefit equal poor", {
    claim: [
      "at bottom this is a question of [fairness|who bears what|a fair share]: {now} lets [some people|a few|those with options] [take the benefit|enjoy the advantages] while {who} [take|are handed|are left with] the [strain|trouble|drawbacks]",
      "{act} would [bring|put|move] the burden [closer to|nearer] those who [cause it|gain from it|can carry it], instead of leaving it with {who}",
      "a [fair|decent|just] arrangement is one that {who} could [accept|agree to|live with] without [knowing|asking] [which side|what place] they would [end up on|have in it], and {now} [fails|does not pass] that test",
    ],
    reason: [
      "when [one group|someone] [enjoys|collects] the [gain|benefit] and another [absorbs|meets] the [loss|cost], [goodwill|politeness|good intentions] will not [correct it|put it right|close the gap]; only a [shared rule|change in the rules|common decision] does",
      "{stake} [matters|counts] just as much to those with [little voice|no lobby|few choices] as to those who are [used to being heard|well placed to complain|easily heard], and {it} [is one of the few things that treats|treats] them alike",
      "[fairness|justice] is not [satisfied|met|achieved] when everyone is [formally|in theory] free to [choose|opt out|go elsewhere]; {who} [often have|usually have|mostly have] no [second option|other door to try|realistic alternative]",
    ],
    example: [
      "[take|consider|think of] {one}, who [gains|gets] [little|next to nothing] from {now} and [yet|still] [rearranges the whole day|loses time and patience] around it; {it} would at least [even that out|balance the account|share that effort more widely]",
      "{where}, the [difference|gap] between those who [impose|cause] a burden and those who [bear|carry] it is [plain to see|hard to miss|visible to anyone], and {who} are [nearly always|mostly|generally] on the [carrying|bearing] side of it",
    ],
    so: [
      "a rule that asks [a little|something] of [many|everyone] is [fairer|easier to defend] than {now}, which asks [a great deal|too much] of {who}",
      "[supporting|backing|adopting] {it} [means|comes down to] asking those with [the most room to adjust|more choices|more slack] to [adjust first|go first|move a little], and that is [reasonable|only fair|not too much to ask]",
    ],
  }),
  schema(
    "a problem no one can solve alone",
    "alone everyone together individual collective voluntary coordinate",
    {
      claim: [
        "{stake} is [exactly the kind of|precisely the sort of|just such a] good that [no one|nobody] can [secure|provide|protect] alone, which is why {act} [must|should|has to] be a [common|shared|collective] decision",
        "[voluntary restraint|individual good sense|private virtue] has a [ceiling|limit|built-in weakness], and {who} [have reached it|run into it daily|know where it lies]: those who [hold back|behave well] [lose out|fall behind|pay twice] to those who do not",
        "many {who} would [gladly|happily|willingly] [act differently|change their ways|do their part] if they [knew|could trust] that others would too, and {it} is [what gives them|how they get] that [assurance|confidence|promise]",
      ],
      reason: [
        "each [person's|household's|person's separate] choice can be [sensible|reasonable|well meant] and the [sum|result|total] still [bad|harmful|worse for all], because what one person [gains|saves] by [going along with|joining in] {now} is [lost|paid for] by [all|everyone] together",
        "[appeals|gentle appeals|campaigns and appeals] to [conscience|good sense] [reach|move] those who were [already|nearly] [convinced|persuaded|careful], whereas {it} [applies to|covers|reaches] the rest as well",
        "a [shared|common] rule [removes|takes away] the [penalty|disadvantage] of going first, and [once that is gone|without that penalty] [good conduct|cooperation|restraint] becomes the [easy|ordinary|normal] thing for {who}",
      ],
      example: [
        "{one} cannot [fix|change|improve] {now} by [personal effort|trying harder|a private resolution], however [admirable|sincere] the effort, because the [trouble|problem] is [made|created] by [thousands of|countless] other [choices|decisions]",
        "it is like [people standing up at a concert|a crowd standing to see better|neighbours each talking louder to be heard]: {who} [gain|are helped by] nothing once [all do it|everyone does the same], and only [agreeing|a common agreement] to [sit down|stop] [helps|gives relief]",
      ],
      so: [
        "[deciding|acting] together on {it} [takes|removes] no [dignity|freedom] from {who}; it [gives|hands] them a result that [no one|none of them] could have [bought|won|had] alone",
        "what [private|individual] effort cannot [reach|deliver], {it} can, and that is [what common rules are for|the oldest reason for having rules|why rules exist]",
      ],
    },
  ),
  schema(
    "the worth of a clear rule",
    "clear rule simple predictable enforce vague exceptions law",
    {
      claim: [
        "a [clear|plain|simple] rule such as {it} is [kinder|fairer|more useful] to {who} than a [cloud|fog|patchwork] of [advice|half-rules|appeals and exceptions]",
        "{act} would have the [great|quiet|underrated] virtue of being [understood|clear|plain] at [once|first reading|a glance], so that {who} could [plan|arrange their lives|make up their minds] accordingly",
        "[predictability|certainty] is a [benefit|good] in itself, and {it} [offers|gives] {who} more of it than {now} ever [did|has|could]",
      ],
      reason: [
        "[vague|soft|elastic] [standards|expectations|guidelines] are [bent|stretched] first by those with [time|confidence|lawyers and patience], while a [plain|clear] one [binds|holds] them [just as firmly as it holds|no less than] {who}",
        "people [adjust|adapt] to what they can [foresee|count on|rely on]; what [wears them down|exhausts them] is [guessing|having to guess] how {now} will be [applied|read|interpreted] [next|this time|from case to case]",
        "{body} can [explain|defend|apply] one [simple|plain] principle [in public|openly|to anyone who asks], whereas a [tangle|heap|web] of [special cases|exceptions] always [needs|calls for] an [insider|expert] to [read it|guide people through it]",
      ],
      example: [
        "{one} should not [need|have] to [study|decode|ring three offices about] the rules before an ordinary [day|morning]; under {it} the answer would be [known|settled|clear] in advance",
        "[ask|try asking] {who} {where} what is [expected|allowed] [today|as things stand], and you will [hear|collect] as many answers as there are [people|heads]; a [single|clear] rule [ends|would end] that",
      ],
      so: [
        "clarity is [half|a good part] of [justice|fairness], and {it} [supplies|provides|delivers] it where {now} [leaves|offers] only [guesswork|shrugs|fine print]",
        "{it} may be [strict|firm], but {who} can [work|live|plan] with [strict|firm] far more easily than with [uncertain|arbitrary|unclear]",
      ],
    },
  ),
  schema(
    "how quickly habits adapt",
    "adapt habit change learn inconvenience adjust used accustomed",
    {
      claim: [
        "the [fear|worry] that {who} could not [adapt|cope|adjust] [underrates|sells short|underestimates] them: people [rearrange|reshape] their [routines|habits] [quickly|sooner than expected] when the [new arrangement|alternative] is [clear|dependable]",
        "most of the [objections|resistance] to {act} [describes|is about] the first [weeks|months], not the years that [follow|come after], and {who} will [live|spend their time] in the [latter|years]",
        "[inconvenience|disruption] is a [cost of changing|feature of the transition], not of the [destination|new state of things], and {it} should be [judged|measured] by where it [leaves|takes] {who}",
      ],
      reason: [
        "[habits|routines] [look|feel] like [needs|necessities] until the [surroundings|circumstances] change, and then they [turn out|prove] to have been [one way among several|only habits|answers to an old question]",
        "what [people|we] [call|describe as] impossible is [often|frequently|usually] only [unrehearsed|untried|unfamiliar], and {it} [gives|would give] everyone the same [reason|date|occasion] to [rehearse|try]",
        "[shops, services and families|businesses and households|the people and firms around us] [organise|arrange] themselves around whatever is [reliable|there], so a [settled|firm] decision on {it} [draws|calls] the [missing pieces|practical answers] into place",
      ],
      example: [
        "{one} may [grumble|swear] in the first [week|fortnight], find a [workaround|different way] in the second, and by the [end of the season|following spring] [wonder|have trouble recalling] what the [quarrel|fuss] over {it} was about",
        "[think|remember] how [smoking indoors|unbelted driving|burning rubbish in the yard] once [seemed|looked] like [ordinary life|a private matter]; {who} [adjusted|changed], and [few|hardly any] would now [go back|choose the old way]",
      ],
      so: [
        "a [hard|bumpy] beginning is a reason to [prepare well|plan the start with care|go step by step], not a reason to [deny|refuse] {who} the [result|benefit]",
        "we should [trust|credit] {who} with the same [flexibility|good sense] they [show|have shown] whenever [ordinary life|the world] changed before, and let {it} [begin|start]",
      ],
    },
  ),
  schema("the price of waiting", "wait delay later time soon patience urgent postpone", {
    claim: [
      "[waiting|delay] is not [caution|prudence] when the [harm|cost] of {now} [grows|adds up|mounts] in the meantime, and {who} are the ones who [wait|pay for the waiting]",
      "if {act} will be [right|sensible] in ten years, it is [worth asking|fair to ask] what {who} [gain|are supposed to gain] from the [nine|years] in between",
      "the [best|easiest] moment for {it} was [some time ago|years ago|before the problem set hard], and the [second best|next best] is [before|well before] {who} have [built|arranged] still more around {now}",
    ],
    reason: [
      "every year that {now} continues, [more plans, purchases and expectations|more money and more expectations] are [built on|tied to] it, so that the [same|very same] step becomes [dearer|harder|more painful] [later|with time]",
      "[certainty|complete knowledge] [arrives|comes] only after [the fact|it has stopped being useful], and a decision about {stake} that [waits|holds out] for it is a decision not to act, [under another name|by default]",
      "[postponement|delay] has [a constituency|its own defenders] because its [benefits|comforts] are [immediate|felt at once] and its costs [fall|arrive] [later|elsewhere|on other people], which is [precisely|just] why {it} needs a [date|deadline]",
    ],
    example: [
      "[tell|explain to] {one} that the matter needs [another|one more] [review|round of study], and you have [answered|settled] it: the [answer|reply] is that {now} stays",
      "{where}, [another year|one more year of waiting] is not an [abstraction|idle interval]; it is [several hundred|some hundreds of] [days|mornings] [exactly like|no better than] this one for {who}",
    ],
    so: [
      "[caution|prudence] [rightly understood|properly weighed] [points|pushes] towards {it}, because [inaction|standing still] is the [riskier|costlier] course",
      "let us [start|begin] while {it} is still [affordable|a choice], rather than [wait until|hold on until] it is a [necessity|rescue] for {who}",
    ],
  }),
  schema("learning by doing", "trial test learn pilot reversible experiment adjust evidence step", {
    claim: [
      "{act} would [teach|show] us more in [a year|two winters] than [another decade|many more years] of [arguing|forecasting], and {who} could [judge|see] the [outcome|result] for themselves",
      "nothing [obliges|forces] us to get {it} [perfect|entirely right] at the first [attempt|try]; it can be [introduced|tried] in [stages|steps], [watched|measured] and [corrected|amended] with {who} at the table",
      "a decision that can be [revised|undone|amended] deserves a [lower bar|gentler test] than one that cannot, and {it} is [plainly|clearly|mostly] of the [revisable|first] kind for {who}",
    ],
    reason: [
      "[forecasts|predictions] about {stake} [pile up|multiply] on both sides without [settling|deciding] anything, whereas a [careful|limited] start [produces|gives] [facts|experience] that [both sides|everyone] must [face|deal with]",
      "the [worst|gravest] [errors|mistakes] in [public|common] life come from what is [never examined|left untouched], not from what is [tried in the open|openly tested], and {it} would be [examined|watched] from the first day",
      "[stages|steps] [turn|change] a [leap|gamble] into a [series|sequence] of [small|modest] [choices|wagers], each of which [informs|improves] the next, so that {it} [grows|gets] better as it [proceeds|goes]",
    ],
    example: [
      "[suppose|say] {body} [begins|starts] with one [district|place|group] and [asks|listens to] {who} after [a season|six months]; whatever they [report|say], we [know|understand] more than we do now",
      "{one} can [describe|tell us] within [a month|weeks] what {it} has [improved|changed] and what it has [spoiled|made worse], and that [testimony|account] is worth more than [a shelf|any amount] of [speculation|prediction]",
    ],
    so: [
      "the [modest|sensible] course is to [try|begin] {it} [carefully|in earnest], [look|watch] honestly, and [keep|retain] what [helps|serves] {who}",
      "[refusing|declining] even to try {it} does not [spare|save] {who} an experiment; it [merely|only] [continues|extends] the one called {now}",
    ],
  }),
  schema(
    "the failure of half measures",
    "alternative half gentle measures encourage failed weak enough",
    {
      claim: [
        "the [gentler|milder|softer] alternatives to {act} have one [thing|weakness] in common: they [ask|expect] nothing of those who [benefit|profit] from {now}, and so {who} see [little|no] [change|difference]",
        "[half measures|halfway steps] [combine|unite] the [trouble|cost] of [acting|change] with the [results|rewards] of [not acting|standing still], and {who} have [had|seen] enough of [both|them]",
        "[encouragement|persuasion|gentle pressure] is [fine|welcome] as a companion to {it}, but on its own it leaves {who} [exactly|more or less] where they [are|stand]",
      ],
      reason: [
        "a [measure|step] that [anyone|everybody] can [ignore|sidestep] will be [ignored|sidestepped] by [precisely|just] those who [matter most|cause the trouble], and the [rest|others] [soon|then] ask why they [bother|should comply]",
        "{now} is [held in place|kept alive] by [convenience|inertia], and [convenience|inertia] does not [yield|give way] to [leaflets|good advice|a suggestion]; it [yields|gives way] to a [real|visible] change such as {it}",
        "where [nobody|no one] must [change|move], [nothing|little] is [built|prepared] for those who [want|would like] to, and {stake} [stays|remains] a [promise|footnote]",
      ],
      example: [
        "[offer|hand] {one} a [leaflet|friendly reminder|discount] and the day [goes on|runs] as before; [change|alter] what is [normal|the default] {where}, and the day itself is [different|another]",
        "anyone who has [tried|sat through] [voluntary|softer] schemes {where} [knows|remembers] the [pattern|sequence]: a [hopeful|well-meant] launch, a [keen|loyal] minority, and {who} back in {now} by the [end of the year|second winter]",
      ],
      so: [
        "if the [aim|goal] is [worth having|serious], the [means|method] must be [equal|adequate] to it, and of the [options|means] on the table {it} is the one that [is|could be], [for|in the eyes of] {who}",
        "{it} is not the [impatient|radical] option but the [first|one] option that [fits|matches] the [size|scale] of what {who} [face|deal with]",
      ],
    },
  ),
  schema(
    "protecting those with the least choice",
    "vulnerable weak protect choice children safety poor",
    {
      claim: [
        "a [society|community] should [judge|measure] its [arrangements|rules] by how they [treat|serve] those with the [least choice|fewest ways out], and by that [test|measure] {now} does badly by {who}",
        "the people who [stand to gain|would gain] most from {act} are [seldom|rarely] in the room when it is [discussed|debated]: {who} have [other|more pressing] things to do than [lobby|write letters]",
        "{it} [protects|would protect] first those who cannot [protect themselves|buy their way out], and {who} [belong|count] among them more often than [we|people] [admit|suppose]",
      ],
      reason: [
        "those with [money|means] and [connections|time] can [step around|escape] the [failings|faults] of {now}; the [others|rest] cannot, so a [general|common] protection [matters|counts] most where choice is [scarcest|thinnest]",
        "[freedom|choice] on paper is [worth|good for] little to someone who [cannot afford|has no way] to use it, and {stake} should not [depend on|be reserved for] [the size of a purse|a thick skin|good luck]",
        "a [weak|missing] rule is [never|not] [empty space|neutral]; it [leaves|hands] the [decision|field] to the [strongest|loudest], and {who} are [seldom|rarely] that",
      ],
      example: [
        "{one} did not [choose|design] {now} and cannot simply [walk away from|leave] it; for such a person {it} is [no|not a] [theory|abstraction] but [a lighter day|some relief|a door that opens]",
        "[look|walk] around {where} and [notice|count] who is [missing|absent]: it is {who}, and their [absence|silence] is [easily|too often] [mistaken|taken] for [consent|contentment]",
      ],
      so: [
        "if we must [err|be wrong], let us [err|do so] on the side of {who}, which is the side of {it}",
        "a [rule|step] that [helps|shelters] {who} first is not [charity|a favour]; it is [simply|only] {it} [doing its work|working as intended]",
      ],
    },
  ),
  schema("investing in the long run", "future long term children generation invest later years", {
    claim: [
      "the [gains|benefits] of {act} [arrive|come] slowly and then [stay|last], whereas its [costs|burdens] come [early|first] and [shrink|fade], which is the [shape|pattern] of every [good investment|sound investment] {who} have [known|made]",
      "[short-term|next year's] [arithmetic|accounts] will always [flatter|favour] {now}; only a [longer|wider] view [shows|counts] what {it} would [spare|give] {who}",
      "those who will live [longest|most fully] with this decision are the [youngest|least consulted], and for them {it} is [worth|good for] more than any [convenience|comfort] {who} might [lose|miss] this year",
    ],
    reason: [
      "[improvements|gains] in {stake} [compound|build on one another]: each makes the next [easier|cheaper|more likely], and a [beginning|start] as [definite|firm] as {it} is what [sets that going|starts the chain]",
      "we [inherit|live among] the [results|fruits] of [decisions|choices] that were [unpopular|uncomfortable] when they were [taken|made], and we [owe|should leave] our [successors|heirs] at least [one or two|a few] such as {it}",
      "a [budget|plan] that [counts|sees] only this [year|season] will [never|not] [choose|find room for] what [pays|matters] over twenty, so the [question|choice] about {it} must be [put|asked] on the longer [scale|horizon]",
    ],
    example: [
      "think of {one} ten years [older|on]: what will [matter|count] then is whether {stake} was [looked after|taken seriously] now, not how [smoothly|quietly] {it} was [introduced|announced]",
      "a [tree|roof] [planted|repaired] this year [shades|shelters] [nobody|few] today, and still {who} would [call|think] it [foolish|a mistake] not to [plant|mend] it; {it} is [of that kind|a thing of that sort]",
    ],
    so: [
      "the [right|proper] question is not what {it} [costs|asks] on the first morning but what it is [worth|doing] on the [thousandth|three-thousandth], when {who} have [long since|already] [stopped noticing|got used to] it",
      "[patience|foresight] here means [acting|starting] early on {it} and [waiting|hoping] for the [return|result], not [waiting|hoping] to [act|start]",
    ],
  }),
  schema(
    "what grows once the way is open",
    "innovation opportunity alternatives grow market invent room space",
    {
      claim: [
        "{act} would not only [stop|end] something; it would [open|make] room for [better ways|new answers] that cannot [grow|take root] in the [shade|shadow] of {now}, and {who} would [find|notice] them first",
        "[necessity|a firm limit] is [an inventive|a good] teacher: once {it} is [settled|in place], {who} and those who [serve|supply] them will [find|devise] answers that no [committee|planner] could [list|draw up] today",
        "we keep [asking|being asked] where the alternatives to {now} are, when it is {now} itself that [crowds them out|leaves them no room], to the [loss|cost] of {who}",
      ],
      reason: [
        "[people|firms and neighbours] [invest|put effort] where the [direction|future] is [clear|settled], and {it} would [settle|make clear] the direction for [years|a generation]",
        "an [alternative|option] that must [compete|struggle] against [habit|entrenched habit] with [everything|all the space] [arranged|laid out] for its rival is not [failing|weak]; it has [never|not] been [tried|given a fair start], and {it} [changes|would change] that",
        "[space, money and attention|attention, money and room] are [finite|limited]; what {now} [uses up|swallows] is [missing|gone] from whatever [else|better] {who} might [want|build]",
      ],
      example: [
        "{where}, one can [easily|already] [imagine|see] what might [fill|use] the room: something [smaller|quieter], [cheaper|closer], and [better suited|kinder] to {one}",
        "[give|allow] {who} a [single|clear] season under {it}, and the [objection|complaint] that nothing could [replace|follow] {now} will be [answered|overtaken] by [things|services] that did not [exist|pay] before",
      ],
      so: [
        "{it} should be [counted|seen] as a [beginning|doorway] as much as a [restriction|limit], and {who} as [authors|makers] of what [comes next|follows], not its [victims|casualties]",
        "what we [lose|give up] through {it} is [visible|known] and [bounded|small]; what {who} may [gain|build] is [open|not yet drawn], and that [tips|should tip] the [scale|balance]",
      ],
    },
  ),
  schema(
    "someone being answerable",
    "responsible accountability answer blame control oversight duty",
    {
      claim: [
        "under {now} everyone is a little [responsible|to blame] and so no one [answers|is answerable]; {act} would [give|hand] {who} an [address|door to knock on] for their [complaint|questions]",
        "{it} turns a [drift|habit] into a [decision|policy], and a [decision|policy] can be [questioned|defended], [measured|tested] and [voted on|overturned] by {who}",
        "[responsibility|accountability] that is [spread|divided] too [widely|thinly] [evaporates|disappears], and {who} are left [arguing|pleading] with [nobody in particular|a shrug]",
      ],
      reason: [
        "[people|institutions] take [care|pains] over what they must [explain|answer for], and {it} would make {body} [explain|justify] itself about {stake} [in plain words|year after year|in public]",
        "what is [nobody's|no one's] [job|duty] is [done|looked after] [badly|late], however much [goodwill|sympathy] there is, because [goodwill|sympathy] has [no diary|no budget] and {it} would have [both|one]",
        "an [open|explicit] rule [creates|leaves] a [record|trail]: who [asked|decided], who [agreed|objected], what [followed|came of it]; {now} [leaves|offers] only [shrugs|regrets]",
      ],
      example: [
        "when {one} [asks|wants to know] why the day went [wrong|badly], the [honest|usual] answer under {now} is that [it just happens|no one decided it]; under {it} there would be [someone|a person] to [ask|answer]",
        "{body} that has [put its name to|signed] {it} cannot [say|claim] afterwards that {stake} was [someone else's|another office's] [concern|department]",
      ],
      so: [
        "whether {it} [succeeds|works] or [fails|falls short], {who} will [know|be able to see] whom to [thank|praise] and whom to [press|replace], and that [alone|by itself] is [progress|a gain]",
        "a [decision|rule] with an [owner|author] can be [improved|mended]; a [drift|habit] without one can only be [endured|put up with], and {who} have [endured|put up with] {now} long enough",
      ],
    },
  ),
  schema(
    "a large good at a modest price",
    "proportion small large benefit outweigh price modest balance",
    {
      claim: [
        "[set|put] side by side, the two [columns|sides] are not [equal|of one size]: {act} would ask a [modest|bearable] [effort|change] of [many|some] and [give|return] {who} something [they lack every day|of daily value]",
        "an [inconvenience|annoyance] and a [harm|injury] do not [weigh|count] the same, and what {it} asks is the [first|former] while what {who} [suffer|bear] under {now} is the [second|latter]",
        "the [trouble|effort] of {it} has been [inflated|magnified] by being [described|told] all at once, while its [good|benefit] to {who} has been [shrunk|made small] by being [described|told] one [morning|person] at a time",
      ],
      reason: [
        "a [cost|loss] that can be [planned for|softened|shared] is [lighter|smaller] than one that [strikes|falls] without [warning|choice], and {it} [offers|imposes] only the [plannable|former] kind",
        "[multiplied|added up] across a [year|lifetime], even a [slight|small] improvement in {stake} [outweighs|outgrows] a [single|one-time] [adjustment|upheaval] such as {it} requires",
        "we [accept|make] this [trade|bargain] [everywhere else|in a hundred other places]: a [little|touch of] [constraint|bother] for each, in [exchange|return] for a [good|benefit] like {stake} that [nobody|none of us] would [give back|surrender]",
      ],
      example: [
        "for {one} the [balance|sum] is quickly done: on one side [some rearranging|a changed routine|a detour], on the other a [day|life] with less [strain|worry] in it, and {it} [buys|brings] the second with the first",
        "{where} the [gain|benefit] from {it} would be [felt|noticed] by [everyone present|all who pass], and the [sacrifice|price] by [comparatively few|some], and [even they|those few] would [share|have a part] in the gain",
      ],
      so: [
        "[unless|until] someone can [show|name] a cost of {it} as [lasting|deep] as what {who} now [bear|carry], [proportion|the balance] is on its side",
        "[measured|weighed] [soberly|without drama], {it} [comes out|stands] as a [good|fair] [bargain|exchange] for {who} and [no worse than|only] a [nuisance|bother] for the rest",
      ],
    },
  ),
  schema(
    "the record of changes once feared",
    "history past before once radical accepted normal precedent",
    {
      claim: [
        "[nearly everything|much] that {who} now take for [granted|normal] was once [called|declared] [unworkable|extreme], so the [charge|label] tells us [little|nothing] about {it}",
        "{act} may sound [drastic|bold], but [boldness|novelty] is a fact about [us and our habits|the listener], not about the [merits|soundness] of the [idea|step] or its [use|value] to {who}",
        "the [pattern|story] is [familiar|old]: first a change like {it} is [impossible|unthinkable], then [inconvenient|expensive], and then {who} cannot [remember|imagine] [living|doing] without it",
      ],
      reason: [
        "[resistance|opposition] is [strongest|loudest] just before a change, when its [losses|costs] are [imagined|vivid] and its [gains|benefits] have [no owners|no voice] yet, and {it} is at [exactly|just] that [point|stage]",
        "what [looked|seemed] like a [natural|fixed] limit was [often|mostly] a [settled|comfortable] arrangement, and {now} has all the [marks|signs] of such an arrangement, however [solid|permanent] it [looks|feels]",
        "a [step|change] need not be [popular|welcome] at first to be [justified|right]; it must [stand up|make sense] once {stake} is [looked at|considered] without [fear|nostalgia], and {it} does",
      ],
      example: [
        "[imagine|picture] [explaining|describing] {now} to {one} who had [never|not] [seen|met] it, and [notice|see] how [quickly|soon] the explanation [turns|becomes] into an [apology|excuse]",
        "had we always [lived|done things] the way {it} [proposes|intends], [nobody|no one] {where} would [start|open] a campaign to [bring in|invent] {now}",
      ],
      so: [
        "the [proper|right] answer to the [word|charge] radical is to [ask|inquire] what {who} would [say|think] of {it} [afterwards|in five years], not what [critics|we] [say|fear] beforehand",
        "let {it} be [judged|weighed] on its [reasons|merits], as {who} will [judge|weigh] it later, and not on its [strangeness|newness] [today|now]",
      ],
    },
  ),
  schema("what we hold in common", "common public shared community belong trust neighbour good", {
    claim: [
      "{stake} [belongs|is owed] to everyone, and {now} has [quietly|slowly] [handed|given] it to a few; {act} would [return|give back] to {who} what is [also|rightly] theirs",
      "some [goods|things] are [held|owned] in common or they are [lost|spoiled], and {it} [treats|handles] {stake} as one of them, for {who} and for [everyone else|the rest of us]",
      "the [case|argument] for {it} does not [rest|depend] on [blaming|scolding] anyone; it rests on what {who} and their neighbours [hold|own] [together|in common] and could [enjoy|use] better",
    ],
    reason: [
      "[shared|common] goods [decay|wear away] by [small|tiny] [permissions|exceptions], none of them [wicked|large], and they are [restored|kept] by [visible|deliberate] [decisions|commitments] such as {it}",
      "people [look after|take better care of] what they [feel|know] to be [theirs too|shared], and a step like {it} says [aloud|plainly] that {stake} is [just that|of that kind]",
      "[trust|mutual trust] grows where [everyone|all] can [see|tell] that the same rule [holds|applies], and {stake} [needs|depends on] [trust|that trust] more than it needs [money|machinery]",
    ],
    example: [
      "{where}, {one} and a [perfect|complete] stranger [share|depend on] the same [few|modest] things, and {it} would [let|allow] both to [use|enjoy] them without [elbowing|crowding out] the other",
      "ask {who} what they [miss|would want back], and they [rarely|seldom] name a [privilege|luxury]; they [name|mention] something [ordinary|plain] that {now} has [crowded out|worn away]",
    ],
    so: [
      "{it} is a way of [saying|declaring] that {who} are [owners|part-owners] here and not [guests|bystanders], and [that is|this is] worth [some|a little] [trouble|effort]",
      "[what|whatever] is [shared|common] must be [looked after|kept] on purpose, and {it} is what doing so [looks like|amounts to] for {who}",
    ],
  }),
  schema(
    "practical feasibility",
    "practical work feasible realistic implement able capacity means",
    {
      claim: [
        "the [practical|workaday] objections to {act} are [real|serious] but they are [tasks|items on a list], not [walls|refusals], and {body} [deals|copes] with [harder|bigger] ones on behalf of {who} every [year|season]",
        "none of what {it} [requires|needs] has to be [invented|discovered]: the [means|tools] exist, and what is [missing|lacking] is the [decision|will] to [use|apply] them where {who} need them",
        "[difficult|hard] is not the same as [impossible|unwise], and {who} [know|have learnt] the difference from their own [work|lives]; {it} is [difficult|hard] and [doable|within reach]",
      ],
      reason: [
        "a [task|difficulty] that can be [broken|divided] into [parts|steps] can be [staffed, scheduled and checked|given to people who know how], and {it} [breaks|divides] [easily|readily] into such parts",
        "[feasibility|practicality] is [partly|in part] a matter of [intention|resolve]: where {body} has [decided|resolved] that {stake} comes first, the [forms, dates and duties|arrangements] [follow|fall into line]",
        "those who [call|find] {it} unworkable [rarely|seldom] [apply|hold] {now} to the same standard, though it [breaks down|fails] [somewhere|for someone] [daily|every week]",
      ],
      example: [
        "[sit|spend an afternoon] with {one} and [list|write down] what would [have to|need to] change under {it}; the list is [finite|shorter than feared], and most of its [lines|entries] begin with a [telephone call|small change of schedule]",
        "{body} could [announce|publish] {it} in [spring|the new year], [help|advise] {who} through the [summer|first months], and [correct|mend] the [rough|weak] places before the [winter|year is out]",
      ],
      so: [
        "the [honest|sober] conclusion is that {it} needs [preparation|work], which {who} have a right to [expect|demand], and not that it needs [abandoning|burying]",
        "once we [agree|admit] that {it} [can|could] be done for {who}, the only [question|matter] left is whether it [should|ought to] be, and that question has been [answered|met]",
      ],
    },
  ),
];
