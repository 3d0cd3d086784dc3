import type { VerbInput } from '#contract/endpoint.ts'
import { type Agreement, type getReview as endpoint, maxReviewedRuns, type ReviewSummary } from '#contract/reviews.ts'
import { personOrNull } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { findMatchingRuns } from '#platform/queue/runs/find-matching-runs.ts'
import { cohensKappa } from '#statistics/cohens-kappa.ts'
import { kappaIntervals } from '#statistics/kappa-intervals.ts'
import { findLabeledRunIds, findReviewedRuns, findTasksOfRuns, type ReviewedRun } from './store.ts'

type Input = VerbInput<typeof endpoint>
type Reviewer = ReviewSummary['reviewers'][number]

/**
 * GET /review: a person has reviewed a run once they put a tag on the run itself. Without `first` and `second`, the two
 * are the caller and the busiest other reviewer. Errors: `invalid_argument` for too many runs.
 */
export async function summarizeReview(context: Context, { first, second, ...filters }: Input): Promise<ReviewSummary> {
  const ids = await findMatchingRuns(context, filters, maxReviewedRuns + 1)
  if (ids.length > maxReviewedRuns)
    throw invalid(`More than ${maxReviewedRuns} runs match. Filter to at most as many to review them`)
  const reviewed = await findReviewedTasks(context.db, ids)
  const byPerson = Map.groupBy(reviewed, ({ person }) => person.id)
  const reviewers = [...byPerson.values()]
    .map((runs) => ({ person: runs[0]?.person ?? { id: '', name: '' }, runs: runs.length }))
    .toSorted((a, b) => b.runs - a.runs || a.person.name.localeCompare(b.person.name))
  // An organization key has labeled nothing.
  const callerId = personOrNull(context.caller)
  const ownRunIds = callerId === null ? [] : (byPerson.get(callerId) ?? []).map(({ compositeId }) => compositeId)
  const labeled = callerId === null ? [] : await findLabeledRunIds(context.db, callerId, ids)
  const tagged = new Set(ownRunIds)
  const [one, other] = choosePair(reviewers, callerId, { first, second })
  return {
    runs: ids.length,
    ownRunIds,
    ownNotedRunIds: labeled.filter((id) => !tagged.has(id)),
    reviewers,
    ...(one &&
      other && { agreement: agreementOf(byPerson.get(one.person.id) ?? [], byPerson.get(other.person.id) ?? []) }),
  }
}

/** Reviewed runs with the task of each prompt in the place of the prompt, which is its own task if it names none. */
async function findReviewedTasks(db: Database, runIds: readonly string[]): Promise<ReviewedRun[]> {
  const [reviewed, tasks] = await Promise.all([findReviewedRuns(db, runIds), findTasksOfRuns(db, runIds)])
  const keyOf = ({ experimentId, fingerprint, prompt }: Pick<ReviewedRun, 'experimentId' | 'fingerprint' | 'prompt'>) =>
    JSON.stringify([experimentId, fingerprint, prompt])
  const taskOf = new Map(tasks.map((named) => [keyOf(named), named.task]))
  return reviewed.map((run) => ({ ...run, prompt: taskOf.get(keyOf(run)) ?? run.prompt }))
}

function choosePair(
  reviewers: readonly Reviewer[],
  callerId: string | null,
  { first, second }: Pick<Input, 'first' | 'second'>,
) {
  const find = (id: string | undefined) => reviewers.find(({ person }) => person.id === id)
  const one =
    find(first) ??
    reviewers.find((each) => each !== find(second) && each.person.id === callerId) ??
    reviewers.find((each) => each !== find(second))
  return [one, find(second) ?? reviewers.find((each) => each !== one)] as const
}

/** Both have at least one run. Runs that only one of them tagged count for nothing. */
function agreementOf(one: readonly ReviewedRun[], other: readonly ReviewedRun[]): Agreement {
  const tagsOfOther = new Map(other.map(({ runId, tags }) => [runId, tags]))
  const both = one.flatMap(({ runId, prompt, tags }) => {
    const second = tagsOfOther.get(runId)
    return second ? [{ first: tags, second, prompt }] : []
  })
  const pairs = [...Map.groupBy(both, ({ first, second }) => JSON.stringify([first, second])).values()]
    .map((same) => ({ first: same[0]?.first ?? [], second: same[0]?.second ?? [], runs: same.length }))
    .toSorted((a, b) => b.runs - a.runs)
  const nobody = { id: '', name: '' }
  return {
    first: one[0]?.person ?? nobody,
    second: other[0]?.person ?? nobody,
    sets: cohensKappa(pairs.map(({ first, second, runs }) => ({ first: first.join(), second: second.join(), runs }))),
    intervals: kappaIntervals(
      both.map(({ first, second, prompt }) => ({ first: first.join(), second: second.join(), prompt })),
    ),
    pairs,
    tags: agreementByTag(pairs, both),
  }
}

type TagCounts = { both: number; onlyFirst: number; onlySecond: number }

type Both = { first: string[]; second: string[]; prompt: string | null }

function agreementByTag(pairs: Agreement['pairs'], both: readonly Both[]): Agreement['tags'] {
  const total = pairs.reduce((sum, { runs }) => sum + runs, 0)
  const counts = new Map<string, TagCounts>()
  const add = (name: string, place: keyof TagCounts, runs: number) => {
    const found = counts.get(name) ?? { both: 0, onlyFirst: 0, onlySecond: 0 }
    found[place] += runs
    counts.set(name, found)
  }
  for (const { first, second, runs } of pairs) {
    for (const name of first) add(name, second.includes(name) ? 'both' : 'onlyFirst', runs)
    for (const name of second) if (!first.includes(name)) add(name, 'onlySecond', runs)
  }
  return [...counts]
    .map(([name, found]) => {
      const neither = total - found.both - found.onlyFirst - found.onlySecond
      const { kappa } = cohensKappa([
        { first: 'with', second: 'with', runs: found.both },
        { first: 'with', second: 'without', runs: found.onlyFirst },
        { first: 'without', second: 'with', runs: found.onlySecond },
        { first: 'without', second: 'without', runs: neither },
      ])
      const has = (tags: readonly string[]) => (tags.includes(name) ? 'with' : 'without')
      const intervals = kappaIntervals(
        both.map(({ first, second, prompt }) => ({ first: has(first), second: has(second), prompt })),
      )
      return { name, ...found, neither, kappa, intervals }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
