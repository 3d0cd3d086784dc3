import type { BulkActionKind, RerunChoice } from '#contract/bulk-actions.ts'
import { isSolved } from '#contract/outcomes.ts'
import { isTerminal, runCan } from '#contract/run-status.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { runsPerTransaction } from '#platform/ground/database/runs-per-transaction.ts'
import type { BulkActionPlan } from '#platform/ground/database/tables/bulk-actions.ts'
import { toOutcomes } from '#platform/queue/runs/to-outcomes.ts'
import { estimateGroups } from './rerun-groups.ts'
import { findTaggedBy, type SelectedRun } from './selected-runs-store.ts'

type Wanted = { kind: BulkActionKind; newTag: string | null; choice: RerunChoice | null }

/** The runs to touch, each with its part, and why the others are left out. */
export type Plan = Omit<BulkActionPlan, 'selected' | 'statusCounts'> & {
  touched: { run: SelectedRun; part: number }[]
}

const tagsPerPart = 25

export async function planAction(context: Context, runs: readonly SelectedRun[], wanted: Wanted): Promise<Plan> {
  switch (wanted.kind) {
    case 'cancel':
      return inParts(
        split(runs, whyNotCancel),
        ({ requestId }, index) => `${requestId} ${Math.floor(index / runsPerTransaction)}`,
      )
    case 'rerun':
      return planReruns(context, split(runs, whyNotRerun(wanted.choice ?? 'all')))
    case 'tag': {
      const tag = wanted.newTag ?? ''
      const runIds = runs.map(({ id }) => id)
      const tagged = await findTaggedBy(context.db, { createdBy: personOf(context.caller), tag, runIds })
      const whyNot = ({ id }: SelectedRun) => (tagged.has(id) ? `already tagged “${tag}” by you` : null)
      return inParts(split(runs, whyNot), (_, index) => Math.floor(index / tagsPerPart))
    }
    case 'delete':
      return inParts(
        split(runs, ({ isImported }) => (isImported ? null : 'not imported')),
        (_, index) => Math.floor(index / runsPerTransaction),
      )
    case 'export':
      return inParts(
        split(runs, () => null),
        () => 0,
      )
  }
}

type Split = { chosen: SelectedRun[]; leftOut: Plan['leftOut'] }

function split(runs: readonly SelectedRun[], whyNot: (run: SelectedRun) => string | null): Split {
  const reasons = runs.map((run) => ({ run, reason: whyNot(run) }))
  const others = Map.groupBy(
    reasons.flatMap(({ reason }) => reason ?? []),
    (reason) => reason,
  )
  return {
    chosen: reasons.flatMap(({ run, reason }) => (reason === null ? run : [])),
    leftOut: [...others].map(([reason, all]) => ({ reason, runs: all.length })),
  }
}

function inParts({ chosen, leftOut }: Split, partOf: (run: SelectedRun, index: number) => unknown): Plan {
  const parts = new Map<unknown, number>()
  const touched = chosen.map((run, index) => {
    const key = partOf(run, index)
    const part = parts.get(key) ?? parts.size
    parts.set(key, part)
    return { run, part }
  })
  return { touched, leftOut }
}

const whyNotCancel = (run: SelectedRun) =>
  !runCan.cancel(run) ? 'already ended' : run.cancelRequestedAt ? 'already being canceled' : null

const whyNotRerun = (choice: RerunChoice) => (run: SelectedRun) => {
  if (!isTerminal(run.status)) return 'not ended yet'
  const isErrored = run.status === 'errored'
  const isUnsolved = isSolved(run, toOutcomes(run)) === false
  const isWanted = { all: true, failed: isErrored || isUnsolved, unsolved: isUnsolved, errored: isErrored }[choice]
  if (isWanted) return null
  if (run.status === 'canceled') return 'canceled'
  if (choice === 'errored') return 'not errored'
  return isSolved(run, toOutcomes(run)) ? 'solved' : 'without a verdict'
}

async function planReruns(context: Context, { chosen, leftOut }: Split): Promise<Plan> {
  const { groups, refused, charged } = await estimateGroups(context, chosen)
  return {
    touched: groups.flatMap((group, part) => group.map((run) => ({ run, part }))),
    leftOut: [...leftOut, ...refused],
    heldMicros: String(charged.reduce((sum, { micros }) => sum + micros, 0n)),
    charged: charged.map(({ experimentId, runCount, micros, ownKeyMicros }) => ({
      experimentId,
      runCount,
      micros: String(micros + ownKeyMicros),
    })),
    olderVersions: groups.flat().filter(({ isNewestVersion }) => !isNewestVersion).length,
  }
}
