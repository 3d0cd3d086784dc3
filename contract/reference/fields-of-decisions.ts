import type { FieldText, FieldTexts } from './reference-text.ts'

const groupBy: FieldText = [
  'What the compared groups differ in: `agent`, `agent_mode`, `model`, `product`, `environment`, or several joined by `~`.',
  'agent',
]
const between: FieldText = [
  'The two groups of the question. Absent if the question is which of all groups is best.',
  ['careful', 'hasty'],
]
const endUsd: FieldText = [
  'The request ends when its runs have cost so much, in US dollars. No further run starts then; those that are going on may end. Absent if it ends with its last run.',
  25,
]

/** Requests that run until their question is decided. */
export const decisionFields: FieldTexts = {
  untilDecided: ['Stops the request when its question is decided. Absent if it runs to its end.'],
  'UntilDecided.groupBy': groupBy,
  'UntilDecided.between': between,
  'UntilDecided.endUsd': endUsd,
  'DecisionDesign.groupBy': groupBy,
  'DecisionDesign.between': between,
  'DecisionDesign.endUsd': endUsd,
  'DecisionDesign.groups': ['The compared groups.', ['careful', 'hasty']],
  'DecisionDesign.fewestPrompts': [
    'How many prompts, of as many tasks, must be complete before the question can be decided early.',
    10,
  ],
  'DecisionDesign.earlyLevel': ['The adjusted p below which the question is decided early.', 0.001],
  'DecisionDesign.endLevel': ['The adjusted p that counts at the end, and only there.', 0.05],
  'DecisionDesign.promptCount': ['The prompts on which every group has runs.', 80],
  'DecisionDesign.runCount': ['All runs of the request, as submitted.', 800],
  'Decision.design': ['What was asked, as stored with the request. It never changes.'],
  'Decision.stopped': ['Why no further run starts. Absent while runs start, and if all of them did.'],
  'Decision.reason': ['`decided`: the question was. `money`: the runs had cost `endUsd`.'],
  'Decision.canceledRuns': ['The waiting runs that stopping canceled.', 160],
  'Decision.at': ['When.', '2026-03-01T12:00:05.000000Z'],
  'Verdict.at': ['When.', '2026-03-01T12:00:05.000000Z'],
  'Decision.verdict': ['What was found. Absent until it is known; from then on it never changes.'],
  'Verdict.isDecided': ['Whether the groups are shown to differ: `left` is better if `difference` is positive.', true],
  'Verdict.when': [
    '`early`: before the end. `runs`, `money`: at the end. `canceled`: someone canceled runs, so that p below `endLevel` does not count.',
  ],
  'Verdict.comparison': ['The look that the verdict is based on. Absent if no prompt was complete.'],
  'Decision.completePrompts': ['The complete prompts that count, in the order in which the queue started them.', 64],
  'Decision.skippedPrompts': [
    'Prompts that do not count: someone canceled a run, the budget of the request cut one, or a group has no run that counts.',
    0,
  ],
  'Decision.canceledPrompts': ['Prompts that do not count because stopping canceled a run of theirs.', 16],
  'Decision.endedRuns': ['The runs that have ended, canceled ones among them.', 640],
  'Decision.spentUsd': ['What the runs have cost so far, in US dollars.', 12.8],
  'Decision.looks': ['What was known after each complete prompt; at most 200, evenly spread.'],
  'Decision.saved': ['What stopping saved.'],
  'Decision.saved.runs': ['The runs that were canceled.', 160],
  'Decision.saved.costUsd': [
    'What they would have cost, as the runs of the same agent, model, product and environment did. Null if unknown.',
    3.2,
  ],
  ...Object.fromEntries(
    ['Verdict', 'DecisionLook'].flatMap((schema): [string, FieldText][] => [
      [`${schema}.left`, ['The first group, or the one that is ahead of more than two.', 'careful']],
      [`${schema}.right`, ['The second group, or of more than two the one that is hardest to tell from it.', 'hasty']],
      [`${schema}.difference`, ['The solved rate of `left` minus that of `right`, as a share.', 0.14]],
      [
        `${schema}.pValue`,
        ['The p-value, which accounts for the number of groups. Null with too few prompts.', 0.0004],
      ],
      [`${schema}.prompts`, ['The number of complete prompts.', 64]],
    ]),
  ),
  'DecisionLook.runs': ['The runs of these prompts.', 640],
  'DecisionLook.costUsd': ['What they cost, in US dollars.', 12.8],
  'DecisionLook.earlyInterval': [
    'It excludes zero exactly if `pValue` is below `earlyLevel`. Null if the differences do not vary.',
  ],
  'DecisionLook.endInterval': ['It excludes zero exactly if `pValue` is below `endLevel`. Null likewise.'],
  'DecisionLook.low': ['The lower end.', 0.02],
  'DecisionLook.high': ['The upper end.', 0.26],
}
