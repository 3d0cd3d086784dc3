import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** What retention removes of runs. `runs` is the whole run; the other kinds are parts of it. */
export const RemovalKind = z.enum(['transcripts', 'outputs', 'changes', 'runs'])
export type RemovalKind = z.infer<typeof RemovalKind>

export const RetentionKind = z.enum([...RemovalKind.options, 'notifications', 'deliveries'])
export type RetentionKind = z.infer<typeof RetentionKind>
export const retentionKinds = RetentionKind.options

export const retentionLimits = {
  minDays: 7,
  maxDays: 3650,
  keptExperiments: 200,
  /** How long an admin can still undo a change that removes more. */
  graceHours: 24,
}

/** Assay itself removes notifications and deliveries of this age, so a longer rule would promise too much. */
const platformDays = { notifications: 365, deliveries: 30 }

/** Retention removes nothing of runs with this tag. */
export const keepTag = 'keep'

const daysUpTo = (max: number) => z.int().min(retentionLimits.minDays).max(max).nullable()
const days = daysUpTo(retentionLimits.maxDays)

const rules = {
  transcripts: days,
  outputs: days,
  changes: days,
  runs: days,
  notifications: daysUpTo(platformDays.notifications),
  deliveries: daysUpTo(platformDays.deliveries),
  keptExperiments: z.array(z.string().min(1).max(200)).max(retentionLimits.keptExperiments),
}

export const RetentionRules = z.object(rules)
export type RetentionRules = z.infer<typeof RetentionRules>

export const keepEverything: RetentionRules = {
  transcripts: null,
  outputs: null,
  changes: null,
  runs: null,
  notifications: null,
  deliveries: null,
  keptExperiments: [],
}

const counts = z.object({
  transcripts: z.int().min(0),
  outputs: z.int().min(0),
  changes: z.int().min(0),
  runs: z.int().min(0),
  notifications: z.int().min(0),
  deliveries: z.int().min(0),
})
export const RetentionCounts = counts
export type RetentionCounts = z.infer<typeof counts>

export const RetentionSweep = z.object({ at: Timestamp, removed: counts })
export type RetentionSweep = z.infer<typeof RetentionSweep>

/** For how many days each kind is kept. Null means no rule. Nothing is removed before `removesFrom`. */
export const RetentionPolicy = RetentionRules.extend({
  updatedAt: Timestamp.nullable(),
  removesFrom: Timestamp.nullable(),
  lastSweep: RetentionSweep.nullable(),
})
export type RetentionPolicy = z.infer<typeof RetentionPolicy>

/** What one kind loses. `bytes` is null where nothing is stored outside of rows that are small. */
export const RetentionLoss = z.object({
  kind: RetentionKind,
  count: z.int().min(0),
  bytes: z.int().min(0).nullable(),
  isEstimate: z.boolean(),
  oldest: Timestamp.nullable(),
})
export type RetentionLoss = z.infer<typeof RetentionLoss>

export const RetentionPreview = z.object({
  losses: z.array(RetentionLoss),
  /** Runs that are old enough for at least one rule, and that nothing is removed of. */
  keptRuns: z.object({ byExperiment: z.int().min(0), byTag: z.int().min(0), byPublishedInsight: z.int().min(0) }),
  /** Published insights over all experiments: they keep no runs, so their numbers change. */
  affectedInsights: z.array(z.object({ id: z.string(), heading: z.string() })),
  /** When the first removal would happen if these rules were saved now. */
  removesFrom: Timestamp,
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

/** Addition: something that retention removed of a run. */
export const Removal = z.object({ kind: RemovalKind, at: Timestamp, keptDays: z.int().min(1) })
export type Removal = z.infer<typeof Removal>

const subjects: Record<RemovalKind, string> = {
  transcripts: 'transcripts are',
  outputs: 'the output of tests is',
  changes: 'changed files are',
  runs: 'runs are',
}

/** For example "Removed on 23 November 2026 by the organization’s retention: transcripts are kept for 90 days", without a full stop. */
export const describeRemoval = ({ kind, at, keptDays }: Removal) =>
  `Removed on ${dateOf(at)} by the organization’s retention: ${subjects[kind]} kept for ${keptDays} days`

/** Why a part of a run is missing, or undefined if retention did not remove it. */
export function removalText(removals: readonly Removal[] | undefined, kind: RemovalKind) {
  const removal = removals?.find((each) => each.kind === kind)
  return removal && `${describeRemoval(removal)}.`
}

const dateOf = (at: string) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(at),
  )

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const

export const getRetention = endpoint({
  ...shared,
  name: 'retention.get',
  method: 'GET',
  path: '/retention',
  summary: 'Get how long the organization keeps what it stores',
  response: RetentionPolicy,
})

export const putRetention = endpoint({
  ...shared,
  name: 'retention.put',
  method: 'PUT',
  path: '/retention',
  summary: 'Set how long the organization keeps what it stores (admins only)',
  body: RetentionRules.extend({ expectedUpdatedAt: Timestamp.nullable() }),
  bodyBytes: limits.textBodyBytes,
  response: RetentionPolicy,
  errors: [...shared.errors, 'already_exists'],
})

export const previewRetention = endpoint({
  ...shared,
  name: 'retention.preview',
  method: 'POST',
  path: '/retention/preview',
  summary: 'Get what proposed rules would remove now (admins only)',
  body: RetentionRules,
  bodyBytes: limits.textBodyBytes,
  response: RetentionPreview,
})
