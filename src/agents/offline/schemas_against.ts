import { type Schema, schema } from "./schema.ts";

/** Lines of thought against a proposed change. */
export const SCHEMAS_AGAINST: readonly Schema[] = [
  schema("who would really pay", "burden pay cost poor fair share bear benefit", {
    claim: [
      "the [price|cost] of {act} would not be [paid|met] by those who [recommend|praise] it but by {who}, who have the [least|smallest] room to [adjust|manoeuvre]",
      "[every|any] [grand|bold] step [hides|contains] a [bill|list of payers], and on the [bill|list] for {it} the [first|top] names are those of {who}",
      "before we [admire|weigh] the [aims|intentions] behind {it}, we should ask who [gives up|loses] what, and {who} [give up|lose] a good deal while [others|its authors] [look on|applaud]",
    ],
    reason: [
      "those with [money|means] and [flexible|easy] lives [find|buy] a way round almost any rule; the [rest|others] [meet|face] {it} [head-on|at full strength], [day after day|with no detour]",
      "a [cost|loss] does not become [fair|just] because the [purpose|cause] is [good|noble], and {stake} is [not served|poorly served] by [adding|shifting] the [strain|burden] to [shoulders|people] already [loaded|tired]",
      "the [benefits|gains] of {it} are [described|told] as [averages|totals], while its [losses|costs] have [faces|addresses], and an average [hides|conceals] [precisely|just] what a [fair|decent] decision must [see|look at]",
    ],
    example: [
      "[take|consider|think of] {one}: for someone with that [day|routine], {it} is not an [idea|ideal] to be [weighed|admired] but an [hour|expense] to be [found|paid], and [nobody|no one] has [offered|proposed] to [find|pay] it",
      "{where}, the [supporters|advocates] of {it} will [hardly|seldom] be the ones [standing about|left waiting]; {who} will",
    ],
    so: [
      "[until|unless] its [backers|friends] can show that {who} would be [spared|compensated] in [fact|practice] and not in [a footnote|principle only], {it} [fails|breaks] the test of [fairness|decency]",
      "a [reform|change] that is [paid for|carried] by {who} should be [decided|approved] by {who}, and {it} has not [even|yet] been [put|explained] to them",
    ],
  }),
  schema(
    "one rule for very different lives",
    "different local everyone same rule uniform circumstances one-size",
    {
      claim: [
        "{act} [treats|handles] very different [lives|situations] as if they were one, and {who} [know|can say] how [badly|poorly] that [fits|works]",
        "what is [bearable|easy] for one [household|person] is [impossible|ruinous] for the [next|neighbour], and {it} [asks|demands] the same of [both|each], {who} included",
        "a [single|uniform] rule is [attractive|neat] on [paper|a map] because the [paper|map] [leaves out|does not show] {who}, and {it} is a [very|distinctly] [neat|tidy] rule",
      ],
      reason: [
        "[knowledge|experience] of what [works|helps] is [scattered|spread] among those who do the [daily work|living], and no [central|general] decision on {stake} [collects|gathers] it [all|in time]",
        "[circumstances|needs] differ by [hour|street], [season|trade] and [age|health], so a [general|blanket] answer to {stake} is [wrong|too much or too little] nearly [everywhere|as often as it is right]",
        "[exceptions|special permits] are the [usual|standard] [reply|remedy], but each [exception|permit] must be [asked for|applied for], [proved|documented] and [renewed|defended], which turns {it} into [paperwork|a contest of patience]",
      ],
      example: [
        "compare {one} with someone who works [from a desk|regular hours] at home: the [same|identical] {it} [barely|hardly] [touches|reaches] the second and [overturns|upends] the [day|week] of the first",
        "{where}, on the [right|wrong] day, {it} might [look|seem] [sensible|harmless]; an hour [later|earlier], with {who} [present|about], it would [look|seem] [absurd|heartless]",
      ],
      so: [
        "[decisions|choices] about {stake} [belong|are best left] [closer to|nearer] those who [live with|feel] the [results|outcome], with {who} [heard|consulted] first and {it} [set aside|kept off the table]",
        "we need [answers|remedies] as [varied|different] as {who} [are|themselves], and that is the one [thing|quality] {it} cannot [offer|have]",
      ],
    },
  ),
  schema("the trouble of enforcement", "enforce rule police comply law penalty check clear", {
    claim: [
      "a rule is [worth|as good as] its enforcement, and nobody has [explained|said] who would [watch over|enforce] {it}, with what [powers|staff], and at what [cost|price] to {who}",
      "{act} would have to be [checked|policed] every [day|hour], and the [checking|policing] would [fall|weigh] [hardest|first] on {who}",
      "between {it} on [paper|the page] and {it} in [practice|the world] lies a [small army|long chain] of [inspectors, forms and fines|checks, appeals and penalties], and {who} would [meet|know] them well",
    ],
    reason: [
      "a rule [kept|obeyed] only by the [honest|conscientious] [punishes|taxes] honesty, and {it} [offers|gives] the [rest|others] every [reason|chance] to [slip past|dodge] it",
      "[strict|rigorous] enforcement [costs|eats up] [money|goodwill] and [loose|slack] enforcement [breeds|invites] [contempt|cynicism]; {stake} [gains|profits] from neither",
      "[penalties|fines] are a [nuisance|trifle] to the [rich|well-off] and a [blow|disaster] to [others|the rest], so the [harder|more firmly] {it} is [enforced|applied], the [less equal|more unequal] it [becomes|turns out]",
    ],
    example: [
      "[picture|imagine] {body} [deciding|sorting], case by case, whether {one} [qualifies|counts] as an exception under {it}: [each|every] answer is [open to|certain of] [dispute|appeal], and each [appeal|dispute] [takes|costs] [weeks|patience]",
      "{where} there is [nobody|no one] to [check|enforce] anything now, and a [notice|sign] [announcing|describing] {it} would be [read|obeyed] by {who} and [ignored|walked past] by [whoever|anyone who] [pleased|wished]",
    ],
    so: [
      "an [unenforceable|unevenly enforced] rule is [worse|more harmful] than none, because it [teaches|shows] {who} that rules are [theatre|for show], and {it} would [teach|show] that [daily|quickly]",
      "whoever [proposes|wants] {it} must [also|first] [propose|describe] its [inspectors|enforcement], its [budget|cost] and its [appeals|mistakes], and [then|only then] ask {who} to [agree|accept it]",
    ],
  }),
  schema(
    "the way problems merely move",
    "displace move elsewhere unintended shift consequence side effect",
    {
      claim: [
        "{act} would not [remove|end] the [trouble|problem]; it would [move|push] it [somewhere|to a place] less [visible|convenient], and {who} would [find|receive] it there",
        "[close|shut] one [door|channel] and people [find|use] another: the [needs|demands] behind {now} do not [vanish|go away] because {it} [forbids|frowns on] their [usual|present] form",
        "the [side effects|second effects] of {it} [deserve|are owed] as much [attention|thought] as its [aim|purpose], since {who} will [live|deal] with [both|the two together]",
      ],
      reason: [
        "[pressure|demand] that is [blocked|stopped] here [shows up|builds] there, [usually|often] where {body} [does not look|has no say] and where {stake} is [already|even more] [fragile|neglected]",
        "[plans|schemes] are [judged|measured] by what they [change|improve] inside their own [borders|boundary], and the [rest|spillover] [goes|is] [uncounted|unrecorded], so {it} may [look|appear] [successful|clean] and still be [a loss|harmful] overall",
        "people [respond|adapt] to a rule, not to its [intention|spirit], and their [responses|adaptations] to {it} are [hard|impossible] to [predict|steer] once {stake} is [involved|at issue]",
      ],
      example: [
        "{one} still has the same [day|duties] to [get through|fulfil], and under {it} will [do so|manage] by a [longer|costlier] [route|way] that [nobody|no one] [planned|wanted]",
        "[empty|clear] the scene {where} and [visit|look at] the next [one|place] along: what [left|vanished] here has [arrived|gathered] there, in front of {who}",
      ],
      so: [
        "a [solution|remedy] must be [judged|weighed] where the problem [goes|ends up], not only where it [was|started], and by that [standard|measure] {it} [promises|gives] {who} [little|nothing]",
        "[unless|until] {it} [touches|addresses] the need [underneath|itself], {who} will [see|get] the [same|old] trouble in a new [place|shape]",
      ],
    },
  ),
  schema(
    "the gentler means not yet tried",
    "alternative gentle better voluntary incentive persuade first option tool",
    {
      claim: [
        "there are [gentler|lighter] [tools|means] than {act}, and they have not been [exhausted|given a fair trial]: {who} have [hardly|scarcely] been [offered|shown] them",
        "the [right|sensible] order is to [improve|offer] the alternatives first and [restrict|compel] [later|last], if at all; {it} [turns|stands] that order [round|on its head], at the expense of {who}",
        "to [reach|go straight] for {it} is to [skip|pass over] the [patient|less dramatic] steps that {who} would [welcome|accept] [today|without a quarrel]",
      ],
      reason: [
        "people [change|move] [lastingly|for good] when a better [option|way] is [at hand|easy], and only [outwardly|for as long as they are watched] when the old one is [taken away|forbidden], so {stake} is [better|more safely] [served|advanced] by [building|adding] than by [banning|closing off]",
        "a [mild|light] measure that is [accepted|kept] [achieves|does] more than a [harsh|sweeping] one that is [resented|evaded], and it [leaves|keeps] {body} [free|able] to [go further|correct course]",
        "[pricing, information and better service|patience, better options and good information] can be [adjusted|tuned] week by week, whereas {it} is an [all-or-nothing|on-or-off] [switch|affair]",
      ],
      example: [
        "[give|offer] {one} a [dependable|decent] alternative and the [choice|change] [makes itself|follows]; [impose|announce] {it} first, and the [same|very same] person [becomes|turns into] an [opponent|adversary]",
        "{where} a few [modest|inexpensive] improvements would [help|satisfy] {who} before any [debate|vote] on {it} could be [held|finished]",
      ],
      so: [
        "the [case|argument] for {it} is at best a case for [something|doing something], and there are [better|less costly] somethings for {who} [within reach|at hand]",
        "let us [try|use up] what is [mild|cheap] and [reversible|proven] before we [risk|impose] {it} on {who}",
      ],
    },
  ),
  schema("the difficulty of going back", "irreversible undo permanent reverse risk late lock", {
    claim: [
      "{act} is [easier|simpler] to [begin|introduce] than to [undo|withdraw], and {who} would [bear|live with] the [difference|result] for years",
      "once {it} is [in place|running], [jobs, budgets and reputations|budgets, careers and pride] will [depend|hang] on it, and its [failure|faults] will be [denied|explained away] rather than [corrected|admitted] to {who}",
      "what is [lost|broken] through {it} cannot [simply|always] be [ordered back|rebuilt] when the [mistake|misjudgement] is [seen|understood], least of all by {who}",
    ],
    reason: [
      "[routines, livelihoods and trust|customs, trades and trust] [grow|form] slowly and [collapse|break] quickly, so a [gamble|wager] with {stake} is [never|not] an [even|symmetrical] one",
      "[promises|pledges] to [review|reconsider] a [policy|decision] later are [cheap|easily made], and {body} [seldom|rarely] [tears up|unpicks] what it has [just|proudly] [built|announced]",
      "when the [downside|loss] is [lasting|permanent] and the [upside|gain] [uncertain|disputed], [care|restraint] is not [cowardice|timidity] but [arithmetic|plain sense], and {it} [invites|calls for] just that care",
    ],
    example: [
      "if {one} has to [give up|sell off|rearrange] the [basis|tools] of a [working life|way of life] because of {it}, a [repeal|change of heart] three years [later|on] [restores|returns] [nothing|very little]",
      "what has [disappeared|closed] {where} does not [reopen|come back] by [decree|decision]; {who} will have [moved on|gone elsewhere] or [given up|made do]",
    ],
    so: [
      "a step that [cannot|can hardly] be [retraced|undone] must be [certain|sure] of its [ground|footing], and {it} [plainly|clearly] is not, [ask|as anyone can hear from] {who}",
      "we should [keep|hold] our options [open|free] for the sake of {who}, and {it} [closes|spends] [several|too many] of them at once",
    ],
  }),
  schema("consent and trust", "consent trust people imposed democratic ask agree legitimacy", {
    claim: [
      "{who} are being [told|informed] about {act} rather than [asked|consulted], and what is [done to|imposed on] people is [seldom|rarely] [kept up|cared for] by them",
      "a [change|policy] of this [size|reach] [lives|depends] on [consent|goodwill], and {it} [spends|uses up] [more|far more] of that with {who} than it can [earn|replace]",
      "[trust|confidence] is the [scarcest|most valuable] thing {body} has, and {it} would [wager|stake] it on an outcome that {who} [doubt|have not agreed to]",
    ],
    reason: [
      "people will [forgive|overlook] a [slow|clumsy] improvement they [helped shape|agreed to] and [resist|resent] a [swift|clever] one they did not, whatever it [does|promises] for {stake}",
      "once [citizens|those affected] [conclude|suspect] that the [answer|outcome] was [fixed|decided] before the [question|hearing], the next [good|useful] idea about {stake} [starts|begins] with a [handicap|debt]",
      "[agreement|consent] is not a [courtesy|formality] to be [collected|tidied up] afterwards; it is [how|the way] we [discover|find out] what {it} would [really|actually] do",
    ],
    example: [
      "[ask|go and ask] {one} what {it} [means|is for], and you will [hear|get] either a [rumour|guess] or a [grievance|shrug], which is [no|a poor] [foundation|base] for a [reform|change] of this kind",
      "[imagine|picture] the [meeting|evening] at which {body} [presents|explains] {it} to {who} as a [settled|finished] matter, and the [silence|anger] on the way [home|out]",
    ],
    so: [
      "[win|earn] the [agreement|trust] of {who} first; if {it} is as [good|sound] as its [friends|supporters] say, that will not be [hard|difficult], and if it is not, we [shall|will] have [learnt|been told] so [cheaply|in time]",
      "{it} may be [lawful|well meant], but without {who} [behind|on the side of] it, it will be [brittle|short-lived]",
    ],
  }),
  schema("room for people's own choices", "freedom choice liberty right decide own autonomy", {
    claim: [
      "[adults|people] are [entitled|able] to [judge|arrange] their own [days|affairs], and {act} [takes|removes] that [judgement|choice] from {who} without [a sufficient|any pressing] reason",
      "[freedom|choice] [consists|lives] in [small|unspectacular] things, and {it} would [reach|cut] [deep|far] into the [small|ordinary] things by which {who} [run|order] their lives",
      "the [burden|duty] of [justification|giving reasons] [lies|rests] with whoever would [restrict|overrule] {who}, and the [defence|case] of {it} has not [lifted|met] it",
    ],
    reason: [
      "a person who [chooses|decides] [knows|sees] things about that choice which no [rule|planner] [can|could], and {stake} [looks|is] different from [inside|within] a [life|household] than from an [office|armchair]",
      "[restrictions|limits] are [usually|always] [defended|sold] one at a time as [small|reasonable], and {stake} is [cited|invoked] each time; it is their [sum|accumulation] that [changes|narrows] a [life|society]",
      "to [forbid|overrule] is [quick|easy], to [persuade|convince] is [respectful|slow], and those who are [persuaded|convinced] need no [watching|supervision], which {it} [does|certainly would]",
    ],
    example: [
      "{one} has [weighed|considered] the options with more [care|at stake] than any [drafter|author] of {it}, and has [reasons|grounds] that would [never|not] [fit|appear] on a form",
      "[watch|notice] what {who} do {where}: a hundred [small|private] [decisions|compromises], most of them [sensible|considerate], none of them [needing|waiting for] {it}",
    ],
    so: [
      "where [good|decent] people [choose|decide] differently, the [presumption|benefit of the doubt] should [favour|go to] their [choice|decision], and {who} should [keep|have] it against {it}",
      "{it} may [want|intend] what is [best|good] for {who}, but it does not [trust|allow] them to [want|choose] it [themselves|freely]",
    ],
  }),
  schema("the burden of proof", "evidence proof prove show certain claim uncertain know", {
    claim: [
      "those who [want|ask for] {act} must [show|demonstrate] that it would [work|help], and what we have [been offered|heard] so far is [hope|confidence], not a [demonstration|reason] that {who} could [check|rely on]",
      "it is not [enough|sufficient] that {now} has [faults|flaws], which {who} will [readily|freely] [grant|list]; the [question|point] is whether {it} would have [fewer|smaller ones]",
      "the [promised|expected] [results|benefits] of {it} [rest|depend] on a [chain|row] of ifs, and {who} are [asked|invited] to [hang|put] their [plans|weight] on [every|each] link",
    ],
    reason: [
      "[a problem|an evil] does not [prove|justify] its [remedy|cure]: that {stake} [matters|is in trouble] tells us to [look for|want] an answer, not that {it} is [one|that answer]",
      "[many|plenty of] things [improve|change] by themselves or for [other|unrelated] reasons, and unless we can [say|explain] how {it} would [act|work], we [cannot|could never] [tell|say] later whether it [did|had]",
      "[doubt|uncertainty] is not [equally|evenly] [shared|divided] here, because if {it} [fails|disappoints], its [authors|backers] [lose|give up] an argument while [others|people] lose [something|part] of {stake}",
    ],
    example: [
      "[question|press] its [supporters|friends] on what {one} would [notice|gain] after a year of {it}, and how we [would|could] know if the [opposite|reverse] had happened; the answers [grow|become] [vague|thin] [at once|remarkably soon]",
      "{body} would not [buy|order] a [roof|boiler] on the [assurances|evidence] so far [offered|given] for {it}, and {who} should not be [asked|made] to [live|shelter] under one",
    ],
    so: [
      "[until|unless] the [mechanism|case] is [plainer|clearer], the [sensible|honest] verdict on {it} is not proven, and {who} are owed that [honesty|verdict]",
      "[concern|sympathy] for {who} is a reason to [demand|want] proof, not to [waive|skip] it because {it} [sounds|feels] right",
    ],
  }),
  schema(
    "the readiness of institutions",
    "capacity ready institution staff budget implement prepare practical",
    {
      claim: [
        "{body} that [struggles|is stretched] to do its [present|existing] work is [in no position|ill placed] to [run|carry] {it} as well, and {who} would be the [first|ones] to [notice|suffer]",
        "the [plan|idea] [assumes|presupposes] [services|capacities] that do not [exist|yet stand], and {act} would [arrive|begin] before {who} have [anything|anywhere] to [turn|move] to",
        "a [reform|policy] is [more|larger] than its [announcement|headline]: someone must [staff|pay for], [explain|maintain] and [mend|answer for] {it}, and for {who} that [someone|part] is [missing|unnamed]",
      ],
      reason: [
        "[overloaded|hurried] institutions [fall back|rely] on [rigid|crude] rules because they have no [time|staff] for [judgement|exceptions], and {stake} [suffers|is lost] in [exactly|just] that [gap|hurry]",
        "every [hour|pound] that {it} [takes|consumes] must be [taken|found] from [something|work] that is [already|quietly] doing [good|its job], though [few|none] of the [plans|speeches] say [which|what]",
        "the [order|sequence] of steps [decides|matters]: [provide|build] first, [require|change] second; {it} [gets|has] that [backwards|the wrong way round], and [good|fine] intentions [do not|cannot] [reverse|fix] it",
      ],
      example: [
        "on the first [morning|Monday] of {it}, {one} will [telephone|write to] {body} with a [simple|perfectly ordinary] question and [wait|hold the line], and a [thousand|few hundred] others will be [waiting|holding] too",
        "{where} the [existing|present] arrangements already [creak|fall short] on [busy|bad] days, and {it} would [add|bring] {who} a [new|further] load before the old one has been [lightened|secured]",
      ],
      so: [
        "[readiness|preparation] is not a [detail|technicality] to be [sorted out|settled] later; for {who} it is [most|the greater part] of what {it} would [be|mean]",
        "let {body} first do [well|properly] what it [owes|has promised] {who}, and [raise|bring up] {it} again when that is [done|visible]",
      ],
    },
  ),
  schema("too broad a tool", "proportion broad narrow targeted sweeping large small blunt", {
    claim: [
      "the [problem|difficulty] is [narrower|more particular] than {act}, which [catches|sweeps up] {who} along with [whatever|those] it [aims|is aimed] at",
      "a [sledgehammer|heavy hammer] does [crack|open] the nut, but {who} would [like|want] us to [consider|remember] the [table|hand beneath], and {it} does not",
      "[some|a few] [practices|cases] deserve [firm|strict] treatment, and they could be [met|dealt with] [directly|one by one] without [making|turning] {it} into a rule for {who}",
    ],
    reason: [
      "a [sweeping|broad] measure is [easy|quick] to [draft|announce] because it [avoids|postpones] the [hard|careful] work of [telling|sorting] [harm|abuse] from [ordinary|harmless] use, and {stake} [depends|turns] on just that [distinction|work]",
      "when [innocent|harmless] conduct is [treated|counted] like [harmful|reckless] conduct, respect for the [rule|measure] [drains away|fades], and {it} [would lose|loses] the [very|same] people it [needs|relies on]",
      "[precision|aim] is a [form|kind] of [respect|fairness]: it [asks|requires] {body} to [know|learn] where {stake} is [truly|really] [at risk|harmed] before it [acts|decides]",
    ],
    example: [
      "{one} has [no|little] part in the [harm|nuisance] that is [complained of|described], and {it} would [treat|class] [that person|such a person] [just|exactly] like those who [have|do]",
      "[look|pay attention] {where} for an [hour|afternoon] and [count|sort]: the [real|true] offenders are [few|a handful], the [bystanders|others] [many|most of the crowd], and {it} [aims|fires] at [both|all]",
    ],
    so: [
      "[narrow|tighten] the [aim|measure] to the [real|actual] harm and [much|most] of the [disagreement|quarrel] [disappears|ends]; {it} as [proposed|it stands] [asks|takes] too much of {who}",
      "a [smaller|more exact] remedy would [serve|help] {who} and [leave|let] the rest [alone|be], which is [more|better] than {it} can [say|claim]",
    ],
  }),
  schema("exceptions without end", "exception exempt loophole special case complicated", {
    claim: [
      "{act} sounds [simple|clean] until one [lists|counts] the exceptions it would need for {who}, and then there is [little|hardly any] [rule|simplicity] left",
      "either {it} is [strict|rigid] and [cruel|unjust] to {who}, or it is [riddled|filled] with [exemptions|loopholes] and does [little|next to nothing]; its [friends|supporters] [promise|describe] a third [version|kind] that nobody has [drafted|seen]",
      "[each|every] [sensible|decent] exemption from {it} [creates|draws] a new [boundary|border], and [behind|on] each [boundary|border] there are {who} who [ask|wonder] why they [fall|are] on the wrong side",
    ],
    reason: [
      "[exemptions|loopholes] [reward|favour] those who can [argue|fill in forms], so a rule [softened|patched] for the [sake|benefit] of the weak is [mostly|chiefly] [used|enjoyed] by the [able|articulate], and {stake} is [no better|none the better] for it",
      "[complexity|special treatment] [moves|shifts] the decision from the [open|public] debate to the [desk|back office] where {it} is [applied|interpreted], and there [nobody|no one] [watches|votes]",
      "[a principle|an idea] that [needs|requires] a [page|long list] of [exceptions|qualifications] may [be the wrong|not be the right] principle, however [sincerely|fondly] {stake} is [meant|invoked]",
    ],
    example: [
      "would {it} [apply|extend] to {one}, and to those [that person|such a person] [helps|depends on], and at [weekends|night], and in an [emergency|illness]: [each|every] yes [weakens|hollows] it and [each|every] no [wounds|hurts] somebody",
      "{body} would soon [keep|need] a [register|ledger] of who [counts|ranks] as what, and {who} would [learn|find] that the [register|ledger] [matters|weighs] more than the [aim|purpose] of {it}",
    ],
    so: [
      "[judge|weigh] {it} with its exceptions [written out|included], as {who} would [meet|read] it, and not as the [slogan|sentence] in which it is [sold|offered]",
      "a [policy|rule] that {who} can only [bear|survive] by being [excused|exempted] from it is [badly|wrongly] [made|conceived], and {it} is [such|that kind of] a policy",
    ],
  }),
  schema("where the precedent leads", "precedent slippery next scope line power future extend", {
    claim: [
      "the [reasons|arguments] [given|offered] for {act} would [justify|support] a good deal [more|else], and {who} are [right|entitled] to ask where they [stop|end]",
      "a [power|licence] once [granted|taken] is [used|stretched] by [people|hands] other than those who [asked for|designed] it, and {it} [grants|creates] a [considerable|wide] one over {who}",
      "I [do not|would not] [quarrel|argue] only with {it} but with the [habit|principle] behind it, by which {who} must [show|prove] why they should be [left|let] alone",
    ],
    reason: [
      "[limits|boundaries] that exist only in the [minds|promises] of the [first|original] [supporters|authors] do not bind the [next|later] ones, and {stake} is a [phrase|reason] that can be [made|bent] to [cover|fit] almost anything",
      "[public|common] rules work by [analogy|comparison]: what is [done|allowed] in one [field|case] becomes an [argument|excuse] in the [next|neighbouring] one, so {it} must be [judged|weighed] as a [pattern|beginning] too",
      "it is [easier|simpler] to [hold|keep] a line that is [plain|old] than to [draw|find] a new one [halfway down|in the middle of] the [slope|argument], and {it} [abandons|gives up] the plain one",
    ],
    example: [
      "[suppose|imagine] the next proposal [concerns|touches] {one} and [cites|quotes] {it} as its [model|warrant]: those who [agree|say yes] today will have [little|nothing] left to [say|object]",
      "[read|repeat] the [argument|reasoning] for {it} with {who} replaced by [yourself|your own neighbours], and [notice|see] that [no other|hardly a] word has to be changed",
    ],
    so: [
      "[unless|until] the [limit|stopping point] is [named|written down] as [firmly|clearly] as the [aim|goal], {who} do [well|right] to [refuse|resist] {it}",
      "a [good|sound] rule [tells|shows] {who} also what it will [never|not] do, and [here|on that] {it} is [silent|mute]",
    ],
  }),
  schema(
    "what present practice already knows",
    "present tradition status quo existing practice experience wisdom reason why",
    {
      claim: [
        "{now} is [untidy|imperfect], but it is [untidy|imperfect] in ways that {who} have [learnt|managed] to [use|live with], and {act} would [sweep|throw] that [learning|know-how] away",
        "before we [clear|pull] something [away|down] we should [know|ask] what it [holds|keeps] up, and those who [urge|promote] {it} have not [asked|looked into] what {who} would [lose|miss]",
        "[arrangements|customs] that have [lasted|survived] usually [answer|meet] some [need|purpose], even where {who} no longer [name|mention] it, and {it} [treats|regards] them as mere [accident|habit]",
      ],
      reason: [
        "[practical|working] knowledge is [kept|stored] in [habits|routines] rather than in [reports|documents], so it is [invisible|unseen] to a [reform|plan] until the [day|week] it is [missed|gone], and {stake} is [often|usually] [how|where] we [find out|notice]",
        "a [new|designed] system begins with [all|every one of] its mistakes still [ahead|undiscovered], whereas {now} has [made|paid for] many of its own [already|long ago]",
        "[repair|gradual improvement] [keeps|preserves] what [works|is good] while [mending|changing] what does not, and {stake} has more often been [improved|advanced] that way than by [fresh starts|tearing things up]",
      ],
      example: [
        "{one} [knows|can name] three [unwritten|informal] [ways|arrangements] that make {now} [work|bearable], and {it} would [end|break] all three without [having heard|knowing] of [one|any]",
        "{where} [things|people] [fit|move] together by [courtesy|understandings] that [nobody|no one] [planned|wrote down]; [put|bring] {it} [on top|in between] and [watch|see] which of them [last|hold]",
      ],
      so: [
        "[mend|improve] {now} where it [fails|hurts] {who}, [piece by piece|patiently], and [spare|save] us the [clean sweep|fresh start] that {it} [asks for|represents]",
        "[respect|regard] for what [works|exists] is not [nostalgia|laziness]; it is [how|the way] {who} are [protected|kept safe] from the [confidence|enthusiasm] behind {it}",
      ],
    },
  ),
  schema(
    "attention better spent elsewhere",
    "priority attention resources distraction opportunity elsewhere money better",
    {
      claim: [
        "{act} would [absorb|swallow] [years|a great deal] of [attention|effort] that {who} [need|could use] more [urgently|elsewhere]",
        "every [choice|priority] is also a [refusal|sacrifice], and to [choose|pursue] {it} is to [put off|refuse] [plainer|less glamorous] [work|improvements] that {who} have been [promised|waiting for]",
        "there is a [risk|danger] that {it} is [chosen|loved] because it is [visible|striking], while what {who} [actually|really] need is [dull|invisible] and [goes|stays] [undone|unfunded]",
      ],
      reason: [
        "[political|public] will is [limited|finite], and a [fight|quarrel] over {it} [uses up|drains] [what|the strength that] [quieter|simpler] remedies for {stake} would have [needed|required]",
        "[symbols|gestures] [satisfy|please] the [wish|need] to have [acted|done something], and once that [wish|need] is [met|stilled], {stake} [slips|drops] from the [agenda|front page]",
        "the [same|equivalent] [money|effort] [spread|spent] on [ordinary|well-known] improvements would [reach|help] more people [sooner|with less risk] than {it}, even on its [backers'|supporters'] own terms",
      ],
      example: [
        "[ask|invite] {one} for a list of [wishes|improvements], and {it} will [hardly|seldom] be in the [first|top] five; [something|some repair] {where} [probably|very likely] will",
        "{body} can [hold|run] one [great|long] argument at a time, and while it [argues|quarrels] about {it}, [other|half a dozen] matters that {who} [raised|brought] [lie|wait] in a drawer",
      ],
      so: [
        "the [test|question] is not whether {it} would do [some|any] good but whether it is the best [use|employment] of what we [have|can spare] for {who}, and it [is not|fails that test]",
        "let us do the [plain|near] things for {who} [first|thoroughly], and see how much [need|appetite] for {it} [remains|is left]",
      ],
    },
  ),
  schema("good aims and poor means", "aim goal means intention purpose end agree share method", {
    claim: [
      "I [share|accept] much of the [aim|goal] and [reject|dispute] the [means|method]: {act} would not [bring|deliver] to {who} what its [friends|supporters] [hope|intend]",
      "a [good|worthy] cause is [badly|poorly] served by a [weak|mistaken] plan, and {who} will [remember|judge] the [plan|result] long after they have forgotten the [cause|speeches] for {it}",
      "the [question|debate] is not whether {stake} [matters|deserves care], for it does, but whether {it} would [improve|protect] it, and {who} have [cause|reason] to [doubt|ask]",
    ],
    reason: [
      "[intentions|ideals] [describe|are about] the people who [propose|plan], [results|effects] are about the people who [live|work] with it, and {it} has been [argued|defended] almost [entirely|wholly] from [intentions|ideals]",
      "when a [method|measure] [disappoints|fails], the [goal|aim] itself is [discredited|blamed], so those who [care|worry] most about {stake} should be the [slowest|last] to [stake|risk] it on {it}",
      "[agreement|unity] about [ends|aims] [makes|leaves] us [careless|lazy] about means, [exactly|just] when {stake} [needs|wants] somebody to [ask|insist on] the [dull|awkward] questions",
    ],
    example: [
      "[tell|explain to] {one} how [fine|generous] the purpose of {it} is, and the [reply|answer] will be a [practical|patient] one: how does that [help|get me through] on an [ordinary|average] [day|Tuesday]",
      "[many|plenty of] [well-meant|kind] schemes have been [opened|launched] {where} with [flowers|a speech], and {who} can [say|tell you] which of them still [stand|run]",
    ],
    so: [
      "to [vote|speak] against {it} is not to [vote|speak] against {who} or {stake}; it is to [ask|hold out] for a [plan|method] that [matches|deserves] the [aim|purpose]",
      "[keep|hold on to] the [goal|aim], [change|rethink] the [road|method], and {who} may [yet|still] [get|receive] what {it} [only|merely] [promises|advertises]",
    ],
  }),
];
