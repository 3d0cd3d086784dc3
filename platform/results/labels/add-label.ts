import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import { type addLabel as endpoint, type Label, tagProblem, toTagName } from '#contract/labels.ts'
import { isSolved } from '#contract/outcomes.ts'
import { isTerminal } from '#contract/run-status.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, exhausted, invalid, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { toOutcomes } from '#platform/queue/runs/to-outcomes.ts'
import { requireLabel, requireLockedRun } from './require-run.ts'
import { settleLabels } from './settle-labels.ts'
import {
  countTags,
  findLabels,
  hasTest,
  hasTurn,
  insertLabel,
  isTagUsed,
  type LabelRow,
  type LabelWithCreator,
  type LockedRun,
  lockTags,
} from './store.ts'
import { isOwn, toLabel } from './to-label.ts'

type Input = VerbInput<typeof endpoint>
type Wanted = Pick<LabelRow, 'kind' | 'text' | 'claimedOutcome' | 'testName' | 'turn'>

/**
 * POST /runs/{id}/labels: sent again, it returns the caller's equal label. Errors: `invalid_argument`, `not_found` for
 * the run, the test or the turn, `already_exists` for a second dispute, `failed_precondition` for a dispute of a run
 * that has not ended, or whose outcome is the claimed one, `resource_exhausted` at the limit of labels or tags.
 */
export async function addLabel(context: Context, { id, ...input }: Input): Promise<Label> {
  const wanted = readLabel(input)
  const label = await context.db.transaction(async (tx) => {
    const run = await requireLockedRun(context, tx, id)
    await requireTarget(tx, run, wanted)
    if (wanted.claimedOutcome) requireDisputable(run, wanted.claimedOutcome)
    const existing = await findLabels(tx, run.id)
    const own = existing.filter((row) => isOwn(context, row))
    const equal = own.find((row) => isEqual(row.label, wanted))
    if (equal) return equal
    if (wanted.kind === 'dispute' && own.some((row) => row.label.kind === 'dispute'))
      throw conflict('You already dispute the outcome of this run. Edit or delete your dispute')
    requireRoom(existing, own)
    if (wanted.kind === 'tag') await requireRoomForTag(tx, context.organization.id, wanted.text)
    const slot = firstFree(existing)
    const [labelId, now] = [newId(), await clockNow(tx)]
    const { organizationId, id: runId } = run
    const stamps = { createdBy: context.caller.recordedUnder, createdAt: now, updatedAt: now }
    await insertLabel(tx, { ...wanted, ...stamps, id: labelId, organizationId, runId, slot })
    await settleLabels(tx, run, Math.max(run.labelSlots, slot + 1))
    return requireLabel(tx, runId, labelId)
  })
  context.wakeProjector()
  return toLabel(context, label)
}

function readLabel({ kind, text, ...input }: Omit<Input, 'id'>): Wanted {
  const [claimedOutcome, testName, turn] = [input.claimedOutcome ?? null, input.testName ?? null, input.turn ?? null]
  if (testName !== null && turn !== null) throw invalid('Send `testName` or `turn`, not both')
  if ((kind === 'dispute') !== (claimedOutcome !== null))
    throw invalid('`claimedOutcome` is required for a dispute, and not allowed for a tag or a note')
  if (kind === 'dispute' && (testName !== null || turn !== null))
    throw invalid('A dispute is about the run: leave out `testName` and `turn`')
  if (kind !== 'tag') return { kind, text, claimedOutcome, testName, turn }
  const name = toTagName(text)
  const problem = tagProblem(name)
  if (problem !== null) throw invalid(problem, [{ path: 'text', message: problem }])
  return { kind, text: name, claimedOutcome, testName, turn }
}

/** Another attempt of a run that has not ended would have other turns and tests. */
async function requireTarget(tx: Database, run: LockedRun, { testName, turn }: Wanted) {
  if ((testName !== null || turn !== null) && !isTerminal(run.status))
    throw preconditionFailed('Tests and turns can be labeled once the run has ended')
  if (testName !== null && !(await hasTest(tx, run.id, testName)))
    throw notFound(`The run has no captured test "${testName}"`)
  if (turn !== null && !(await hasTurn(tx, run.id, turn))) throw notFound(`The run has no turn ${turn}`)
}

function requireDisputable(run: LockedRun, claimedOutcome: 'solved' | 'unsolved') {
  if (!isTerminal(run.status)) throw preconditionFailed('The run has not ended, so it has no outcome to dispute')
  const solved = isSolved(run, toOutcomes(run))
  if (solved === (claimedOutcome === 'solved'))
    throw preconditionFailed(`The measured outcome is already ${solved ? 'solved' : 'not solved'}`)
}

const isEqual = (label: LabelRow, { kind, text, claimedOutcome, testName, turn }: Wanted) =>
  label.kind === kind &&
  label.text === text &&
  label.claimedOutcome === claimedOutcome &&
  label.testName === testName &&
  label.turn === turn

function requireRoom(existing: readonly LabelWithCreator[], own: readonly LabelWithCreator[]) {
  if (own.length >= limits.labelsPerPersonAndRun)
    throw exhausted(`You already put ${limits.labelsPerPersonAndRun} labels on this run. Delete one first`)
  if (existing.length >= limits.labelsPerRun) throw exhausted(`The run already has ${limits.labelsPerRun} labels`)
}

async function requireRoomForTag(tx: Database, organizationId: string, name: string) {
  if (await isTagUsed(tx, organizationId, name)) return
  await lockTags(tx, organizationId)
  if ((await countTags(tx, organizationId)) >= limits.tagsPerOrganization)
    throw exhausted(`The organization already has ${limits.tagsPerOrganization} tags. Use one of them`)
}

function firstFree(existing: readonly LabelWithCreator[]) {
  const used = new Set(existing.map(({ label }) => label.slot))
  let slot = 0
  while (used.has(slot)) slot += 1
  return slot
}
