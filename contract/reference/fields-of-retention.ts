import type { FieldTexts } from './reference-text.ts'

const days = (what: string, more = '') =>
  [`For how many days ${what} kept, counted from the end of the run.${more} Null means forever.`, 90] as const

const rulesOf = (schema: string): FieldTexts => ({
  [`${schema}.transcripts`]: days('transcripts are'),
  [`${schema}.outputs`]: days('the output of tests is', ' Outcomes stay.'),
  [`${schema}.changes`]: days('changed files and artifacts are'),
  [`${schema}.runs`]: days('whole runs are', ' Their cost stays in the usage.'),
  [`${schema}.notifications`]: ['For how many days notifications are kept, at most 365. Null for 365.', 90],
  [`${schema}.deliveries`]: ['For how many days the logs of webhooks and email are kept, at most 30. Null for 30.', 14],
  [`${schema}.keptExperiments`]: ['The ids of experiments of which nothing is removed.', ['baseline']],
})

const countsOf = (schema: string): FieldTexts => ({
  [`${schema}.transcripts`]: ['Runs whose transcript was removed.', 120],
  [`${schema}.outputs`]: ['Runs whose test output was removed.', 120],
  [`${schema}.changes`]: ['Runs whose changed files were removed.', 80],
  [`${schema}.runs`]: ['Whole runs.', 0],
  [`${schema}.notifications`]: ['Entries in the feeds of people.', 300],
  [`${schema}.deliveries`]: ['Deliveries of webhooks, and emails.', 40],
})

export const retentionFields: FieldTexts = {
  ...rulesOf('RetentionRules'),
  ...rulesOf('RetentionPolicy'),
  ...rulesOf('RetentionPutRequest'),
  ...countsOf('RetentionCounts'),
  'RetentionPutRequest.expectedUpdatedAt': [
    'The `updatedAt` of the rules you read, or null if they have never been changed. If they have changed since then, the request fails with 409.',
    '2026-03-01T10:00:00.000000Z',
  ],
  'RetentionPolicy.updatedAt': [
    'When the rules were last changed. Null if they never were.',
    '2026-03-01T10:00:00.000000Z',
  ],
  'RetentionPolicy.removesFrom': [
    'Nothing is removed before this time. Null if rules were never set.',
    '2026-03-02T10:00:00.000000Z',
  ],
  'RetentionPolicy.lastSweep': ['What was removed last. Null if nothing ever was.'],
  'RetentionSweep.at': ['When the sweep ended.', '2026-03-02T11:00:00.000000Z'],
  'RetentionSweep.removed': ['How many of each kind.'],
  'RetentionPreview.losses': ['One entry for each kind that has a rule.'],
  'RetentionPreview.keptRuns': [
    'Runs that are old enough for a rule, by the first reason why nothing of them is removed.',
  ],
  'RetentionPreview.keptRuns.byExperiment': ['Runs of `keptExperiments`.', 12],
  'RetentionPreview.keptRuns.byTag': ['Runs with the tag `keep`.', 3],
  'RetentionPreview.keptRuns.byPublishedInsight': [
    'Runs that a published insight of their experiment, or of the run itself, reads.',
    40,
  ],
  'RetentionPreview.affectedInsights': [
    'Published insights over all experiments. They keep no runs, so their numbers change.',
  ],
  'RetentionPreview.affectedInsights.id': ['The id of the insight.'],
  'RetentionPreview.affectedInsights.heading': ['The heading of the insight.', 'Solved by model'],
  'RetentionPreview.removesFrom': [
    'When the first removal would happen if the rules were saved now.',
    '2026-03-02T10:00:00.000000Z',
  ],
  'RetentionLoss.kind': ['What is removed.', 'transcripts'],
  'RetentionLoss.count': ['How many runs, entries or deliveries lose it.', 120],
  'RetentionLoss.bytes': ['How many bytes are stored for it. Null for kinds that are only small rows.', 73400320],
  'RetentionLoss.isEstimate': ['Whether `bytes` is estimated from a sample.', false],
  'RetentionLoss.oldest': ['The time of the oldest of them. Null if there are none.', '2025-11-20T10:00:00.000000Z'],
  removals: ['What retention removed of the run. Absent if nothing.'],
  'Removal.kind': ['What was removed.', 'transcripts'],
  'Removal.at': ['When it was removed.', '2026-03-02T11:00:00.000000Z'],
  'Removal.keptDays': ['The rule at that time, in days.', 90],
}
