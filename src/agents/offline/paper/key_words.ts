const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Words after which a noun phrase begins. */
export const DETERMINERS = list(
  "the a an this these those its their our his her each every any some no both all such various several many few most another",
);
/** Prepositions and what does their work; `to` is left out, since a verb may follow it. */
export const PREPOSITIONS = list(
  `of in on for with from by about between among across within without under over through during against into onto upon per via
  towards toward around behind beyond after before near like than as at regarding concerning despite`,
);
/** Auxiliaries and copulas: what stands before one is a noun phrase. */
export const AUXILIARIES = list(
  "is are was were has have had can could may might will would should must does do did be been being cannot",
);
/** Words that are part of no key term. */
export const OTHERS = list(
  `and or but nor so yet if when where while whereas although though because since unless until that which who whom whose what how
  why whether it they we i you he she them us him me there here then thus hence therefore however moreover furthermore also too very
  more less least much not only just even still already again once rather quite almost about above below up down out off
  to not non that one two three four five six seven eight nine ten first second third fourth last next same other others own different
  similar certain following previous present current new old main major minor overall general total additional further possible
  important significant large small high low higher lower larger smaller greater better best worse worst good bad long short late
  early recent able likely unlikely due based used using given compared according well et al eg ie vs etc ibid cf
  whole entire half part parts kind kinds type types sort way ways case cases example examples instance number numbers amount amounts
  lot set sets term terms order fact facts thing things time times year years month months day days week weeks hour hours
  percent degree degrees mean section sections table tables figure figures chapter page pages appendix reference references
  paper papers study studies article articles author authors abstract introduction conclusion conclusions discussion summary
  result results finding findings work research literature question questions answer answers approach approaches issue issues
  point points view reason reasons aim aims purpose goal goals use role basis respect regard addition contrast
  people person everyone someone anyone nobody everything something anything nothing none each
  need needs report reports reported note noted see seen shown called known made making take taken taking give gave got get
  do done went come came find finds found show shows showed suggest suggests suggested say says said think held hold holds
  remain remains remained become becomes became seem seems seemed appear appears appeared include includes including included
  increase increases increased decrease decreases decreased reduce reduces reduced lower lowers lowered rise rises rose fall falls fell
  improve improves improved change changes changed differ differs differed vary varies varied measured observed tested examined
  discuss discussed describe described conclude concluded consist consists concern concerns involve involves depend depends
  random beginning end afterwards forwards backwards stronger weaker longer shorter faster slower earlier later together apart often
  always never ever
  eleven twelve thirteen fourteen fifteen twenty thirty forty fifty hundred thousand million several
  january february march april may june july august september october november december`,
);
/** Verbs that part a noun phrase from the next, besides those of the topics' grammar. */
export const PAPER_VERBS = list(
  `attract provide allow propose evaluate assess examine investigate analyse analyze demonstrate obtain perform achieve apply
  introduce define select collect recommend recruit choose decide survive reflect tolerate affect contribute occur
  represent generate receive predict assume infer derive compare combine contain extend follow focus learn tend aim begin
  belong bring build carry chose choose draw drew grew grow help keep kept lay led leave left live lives lived move offer offers
  perceive place places reach reached reread seek serve serves set solve stand start started stay took tell tells told used want
  wrote write yield yields attend avoid avoided ask asked feed fix fixed lie lies`,
);
/** Finite verbs that a subject stands before. */
export const FINITE_VERBS = list(
  `reduce reduces reduced increase increases increased decrease decreases show shows showed suggest suggests improve improves improved
  depend depends vary varies varied differ differs remain remains remained become becomes became include includes involve involves
  lower lowers lowered fell falls rose rises seem seems appear appears consist consists need needs make makes`,
);
/** Words that name too little where they stand alone. */
export const THIN = list(
  `practice practices theory theories share shares rise fall loss gain gains cost costs minutes price answer side sides line lines story text words
  advance distance height factor factors effect effects room possibility absence presence middle procedure advantage advantages measures measure
  group groups level levels rate rates condition conditions difference differences design process processes system systems model models
  value values area areas problem problems hand place change quality kind analysis information version family interest`,
);
/** Words that tell how something was studied, not what. */
export const OF_STUDIES = list(
  `experiment experiments survey surveys trial trials interview interviews comparison comparisons sample samples participants
  respondents authors laboratory literature limitation limitations evidence assumption assumptions hypothesis hypotheses`,
);
/** Words in -ing that are things. */
export const GERUND_NOUNS = list(
  `learning training teaching planning housing funding reasoning testing understanding warming cooling parking farming reading
  writing building buildings feeding spending pricing lighting flooding sampling modelling modeling banking mining planting`,
);
/** Endings of nouns. */
export const NOUN_ENDING =
  /(?:tions?|sions?|ments?|ness(?:es)?|it(?:y|ies)|isms?|ances?|ences?|ships?|log(?:y|ies)|ages?|ures?|ics|graph(?:y|ies)|ists?|hoods?|doms?|crac(?:y|ies)|tudes?|metry|scopes?|ors?|ers)$/u;

/** Determiners of other languages, after which a noun is likely. */
export const FOREIGN_DETERMINERS = list(
  `der die das den dem des ein eine einen einem einer eines im am zum zur vom beim el la los las un una unos unas del al le les des du
  il lo gli i della delle dei degli uno o os as um uma do da dos das no na nos nas het de een`,
);
/** Frequent words of other languages that name nothing. */
export const FOREIGN_OTHERS = list(
  `und oder aber nicht auch sich wird werden wurde wurden sind waren haben hatte hatten kann können dass diese dieser dieses diesem
  diesen mehr weniger sehr noch nach über unter zwischen jedoch durch keine kein ersten zweiten anderen andere studie arbeit ergebnis
  ergebnisse beispiel teil jahre jahren mal fall este esta estos estas que porque cuando donde como para pero más menos muy entre sobre
  también está están fue fueron tiene tienen puede pueden estudio trabajo resultado resultados ejemplo parte años otros otras otro otra
  misma mismo cada todo todos toda todas primera primer segundo segunda ainsi dans cette cet ces avec sans plus moins mais être sont
  était mittel étaient peut peuvent étude travail résultats exemple partie années autres même chaque tout tous toute toutes première`,
);
