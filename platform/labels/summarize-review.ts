import type { VerbInput } from '#contract/endpoint.ts'
import { type Agreement, type getReview as endpoint, maxReviewedRuns, type ReviewSummary } from '#contract/reviews.ts'
import type { Context } from '#platform/context/context.ts'
import { invalid } from '#platform/failures/failure.ts'
import { findMatchingRuns } from '#platform/runs/find-matching-runs.ts'
import { cohensKappa } from './cohens-kappa.ts'
import { findReviewedRuns, type ReviewedRun } from './store.ts'

type Input = VerbInput<typeof endpoint>
type Reviewer = ReviewSummary['reviewers'][number]

/**
 * GET /review: a person has reviewed a run once they put a tag on the run itself. Without `first` and `second`, the two
 * are the caller and the busiest other reviewer. Errors: `invalid_argument` for too many runs.
 */
export async function summarizeReview(context: Context, { first, second, ...filters }: Input): Promise<ReviewSummary> {
  const ids = await findMatchingRuns(context, filters)
  if (ids.length > maxReviewedRuns)
    throw invalid(`${ids.length} runs match. Filter to at most ${maxReviewedRuns} runs to review them`)
  const reviewed = await findReviewedRuns(context.db, ids.slice(0, ids.length))
  const byPerson = Map.groupBy(reviewed, ({ person }) => person.id)
  const reviewers = [...byPerson.values()]
    .map((runs) => ({ person: runs[0]?.person ?? { id: '', name: '' }, runs: runs.length }))
    .toSorted((a, b) => b.runs - a.runs || a.person.name.localeCompare(b.person.name))
  const [one, other] = choosePair(reviewers, context.caller.userId, { first, second })
  return {
    runs: ids.length,
    ownRunIds: (byPerson.get(context.caller.userId) ?? []).map(({ compositeId }) => compositeId),
    reviewers,
    ...(one &&
      other && { agreement: agreementOf(byPerson.get(one.person.id) ?? [], byPerson.get(other.person.id) ?? []) }),
  }
}

function choosePair(
  reviewers: readonly Reviewer[],
  callerId: string,
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
  const both = one.flatMap(({ runId, tags }) => {
    const second = tagsOfOther.get(runId)
    return second ? [{ first: tags, second }] : []
  })
  const pairs = [...Map.groupBy(both, ({ first, second }) => JSON.stringify([first, second])).values()]
    .map((same) => ({ ...(same[0] ?? { first: [], second: [] }), runs: same.length }))
    .toSorted((a, b) => b.runs - a.runs)
  const names = [...new Set(pairs.flatMap(({ first, second }) => [...first, ...second]))].toSorted()
  const nobody = { id: '', name: '' }
  return {
    first: one[0]?.person ?? nobody,
    second: other[0]?.person ?? nobody,
    sets: cohensKappa(pairs.map(({ first, second, runs }) => ({ first: first.join(), second: second.join(), runs }))),
    pairs,
    tags: names.map((name) => {
      const has = pairs.map(({ first, second, runs }) => ({
        one: first.includes(name),
        other: second.includes(name),
        runs,
      }))
      const count = (one: boolean, other: boolean) =>
        has.reduce((sum, pair) => sum + (pair.one === one && pair.other === other ? pair.runs : 0), 0)
      const { kappa } = cohensKappa(has.map(({ one, other, runs }) => ({ first: `${one}`, second: `${other}`, runs })))
      return {
        name,
        both: count(true, true),
        onlyFirst: count(true, false),
        onlySecond: count(false, true),
        neither: count(false, false),
        kappa,
      }
    }),
  }
}
