// A short paper for tests of retrieval.
import type { Paper } from "../../../src/core/paper.ts";

/** One paragraph per subject, so that each is a chunk. */
const PARAGRAPHS = {
  aim:
    "This paper asks what happened when nineteen secondary schools moved their first lesson from eight o'clock to half past nine. The change was voted for by parents and ran for two years, from one September to the June after next. We compare the nineteen with thirty schools of the same counties that kept their hours, and follow both groups with the same instruments throughout.",
  sample:
    "Participants were 4,310 students between thirteen and seventeen. Each wore a wrist sensor for two weeks a term and filled in a diary on Sundays. Students who took medication that makes drowsy were left out, as were those who worked before class. Of the diaries, eleven percent could not be used because pages were missing.",
  sleep:
    "On school days students of the later schools rested for 34 minutes longer than before, while nothing changed in the comparison group. Almost all of it came from getting up later: they turned off the light only six minutes after their peers. At weekends the gap between the two groups closed again, which suggests that they no longer had a debt to pay back.",
  marks:
    "Examination results moved little. In mathematics the difference was within the margin of error, and in languages it was a twentieth of a standard deviation. Pupils at the bottom of the distribution gained most, and the best gained nothing. Marks given by teachers rose more than those of anonymous examiners, so that a part of the gain may be goodwill.",
  crashes:
    "The county police recorded every collision in which a driver under twenty was involved. Between seven and nine in the morning these fell by a quarter in the towns of the later schools and by four percent elsewhere. The numbers are small, sixty-one against forty-six, and a single bad winter could turn them around.",
  buses:
    "Moving the bell had its price. Seven districts run one fleet for primary and secondary classes, and had to hire eleven more vehicles, at 41,000 euros a year each. Two of them found drivers only after raising pay. Rural families were hit hardest, for there the ride takes up to an hour and the last one home was now in the dark.",
  sport:
    "Trainers complained that the pitch had no lights and that matches had to be put off in November. Clubs lost about a tenth of their members in the first autumn, half of whom came back by spring. Music lessons, which are taught one by one, moved to the hour before class and lost nobody.",
  mood:
    "Self-reported low spirits and irritability, measured with a questionnaire of nine items, went down in both groups during the study, and no more in one than in the other. Nurses' records show fewer visits for headaches. We do not claim that the schedule made anyone happier.",
  limits:
    "Schools chose for themselves whether to take part, so that those who expected to gain may be over-represented. The sensors cannot tell lying still from sleeping. Nobody was blind to the condition, and the second year overlapped with a reform of the curriculum that we could not separate from it.",
} as const;

/** A paper of three pages about later school hours. */
export const SLEEP_PAPER: Paper = paperOf();

function paperOf(): Paper {
  const { aim, sample, sleep, marks, crashes, buses, sport, mood, limits } = PARAGRAPHS;
  const pages = [[aim, sample, sleep], [marks, crashes, buses], [sport, mood, limits]]
    .map((paragraphs) => paragraphs.join("\n\n"));
  const starts = pages.map((_, i) =>
    pages.slice(0, i).reduce((sum, { length }) => sum + length + 2, 0)
  );
  return { id: "later-hours", title: "Later hours", text: pages.join("\n\n"), pages: starts };
}
