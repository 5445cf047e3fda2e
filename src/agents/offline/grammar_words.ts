const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Verbs that are rarely nouns: after "should" they begin what is proposed. */
export const VERBS = list(`
  abandon abolish accept achieve adopt allow apply ban be become believe bring build buy cancel carry cause
  celebrate close compete consider continue create criminalise criminalize cure cut deal decide decriminalise decriminalize
  defend define deliver demand deny depend deserve destroy develop disclose do earn eat eliminate embrace enable
  encourage end enforce ensure erode exist expand explain explore fear feel fight find fix forbid force forgive get give go grow
  happen harm have hire hold ignore impose improve include increase introduce invest join keep kill know learn leave legalise
  legalize let listen live lose lower make matter mean merge move need obey offer open oppose outlaw own
  participate pay perform permit pick prefer prepare preserve prevent prioritise prioritize produce prohibit promote protect prove
  provide publish punish pursue put raise reach read receive recognise recognize reduce refuse regulate reject
  remain remove rename repeal replace require restore retain retire return reveal save say see sell send serve
  solve speak spend stay sell stop subsidise subsidize succeed survive swap take teach tell tolerate trust try undermine understand unite
  wait want weaken wear win worry write think help hurt save rely strengthen threaten benefit outweigh divide
  rewrite belong mislead ruin offer require contain abstain adapt address admit aim appoint assist avoid phase start switch learn acquire choose nationalise nationalize privatise privatize`);

/** Words that are verbs and nouns alike. */
export const VERBS_OR_NOUNS = list(`
  work use vote tax limit fund study play support test share drive cost trade change control rule farm house plan design cap
  grade fine age order charge report answer question research censor treat rank train cover access balance burn
  clone count cycle fish hunt judge label lead love market mine monitor name pass practice race rent reform reward risk search
  shift ship sport stock stand talk track travel value view visit walk waste welcome wish ration restrict care`);

/** Verbs whose last consonant doubles before -ing. */
export const DOUBLING = list(`
  ban cap cut put stop get let run set plan win sit quit ship shut swap trim drop hit dig scrap begin forget permit admit commit
  forbid control cancel travel label model refer prefer rig rob beg bar slip spin split step strip wrap chat rid`);

/** Verbs that keep things as they are. */
export const KEEPING = list(
  "keep continue remain maintain preserve retain stay exist survive defend protect",
);

/** Participles that are not made with -ed. */
export const PARTICIPLES: Readonly<Record<string, string>> = {
  made: "making",
  given: "giving",
  taught: "teaching",
  kept: "keeping",
  built: "building",
  paid: "paying",
  taken: "taking",
  held: "holding",
  left: "leaving",
  sold: "selling",
  shut: "shutting",
  cut: "cutting",
  told: "telling",
  sent: "sending",
  brought: "bringing",
  chosen: "choosing",
  forgiven: "forgiving",
  forgotten: "forgetting",
  forbidden: "forbidding",
  driven: "driving",
  broken: "breaking",
  written: "writing",
  put: "putting",
  let: "letting",
  set: "setting",
};

/** Adjectives that say what something is. */
export const ADJECTIVES = list(`
  good bad better worse best worst right wrong fair unfair just unjust ethical unethical moral immoral legal illegal free
  safe unsafe dangerous harmful healthy unhealthy useful useless necessary unnecessary essential important possible impossible inevitable
  desirable acceptable unacceptable justified unjustified justifiable overrated underrated outdated obsolete dead alive broken enough
  mandatory compulsory optional voluntary public private beneficial sustainable viable feasible realistic rational irrational natural true
  false real dependent independent responsible liable wise unwise smart stupid worth worthwhile effective ineffective cheaper faster
  stronger happier healthier safer easier harder greater smarter superior inferior equal more less too overpaid cruel humane
  democratic undemocratic constitutional exempt capable conscious human evil selfish objective subjective relevant irrelevant replaceable`);

/** Words that can follow an adjective which ends a statement. */
export const AFTER_ADJECTIVE = list(
  "than for to in of at on or when without with if and by from under because as today enough likely about",
);

/** Verbs and auxiliaries that make a sentence of a topic. */
export const FINITE = list(
  "is are was were will can cannot should must does do has have would could may ought makes make needs need deserves helps harms",
);

/** Common short words of other languages than English. */
export const FOREIGN = list(`
  el la los las una unos unas del por para que con es son debe deben deberían como más ser está der die das und ist sind nicht
  ein eine einen mit für auf soll sollen sollten sollte werden wir le les des une du est sont dans pour faut doit doivent il lo gli che
  di della delle per sono deve devono non o os da na em não são het een van niet voor moeten och att som är inte skal ikke på og`);

/** Short words of English that tell that a text is English. */
export const ENGLISH = list(
  "the of and to is are in for on with than be should do does not we our their that it from by this as more a an or at",
);

/** Subjects that act themselves, besides plurals. */
export const AGENTS = list(`
  we i you they people everyone everybody nobody government state parliament congress society humanity europe china
  eu un nato police humans children women men britain germany france america canada india japan`);
