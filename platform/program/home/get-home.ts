import type { VerbInput } from '#contract/endpoint.ts'
import type { FinishedRequest, getHome as endpoint, HomeView } from '#contract/home.ts'
import type { SharedContext } from '#platform/ground/context/context.ts'
import { describeDemo } from '#platform/program/demo/describe-demo.ts'
import { listFinished, listFlips, listUnfinished } from '#platform/queue/runs/list-activity.ts'
import { findChangedQueries, findChangedReports, findPendingSuggestions } from './store.ts'

const shown = { unfinished: 10, latest: 6, changed: 5, checkedForErrors: 20 }

/**
 * GET /home: what runs, the newest results, what changed since a moment, and what needs attention. It depends only on
 * the database, so that everyone with one role and one `since` shares an answer.
 */
export async function getHome(context: SharedContext, { since }: VerbInput<typeof endpoint>): Promise<HomeView> {
  const { db, organization } = context
  const finished = await listFinished(context, { limit: shown.checkedForErrors })
  const demo = await describeDemo(db, organization.id)
  return {
    unfinished: await listUnfinished(context, shown.unfinished),
    latest: finished.slice(0, shown.latest),
    ...(since !== undefined && { changes: await findChanges(context, since) }),
    attention: {
      erroredRequests: newestOfEach(finished)
        .filter(({ erroredCount }) => erroredCount > 0)
        .slice(0, shown.changed),
      ...(organization.role === 'admin' && {
        pendingSuggestions: await findPendingSuggestions(db, organization.id, shown.changed),
      }),
    },
    ...(demo && { demo }),
  }
}

/** The newest request of each experiment: errors that a newer request does not have need nobody. */
const newestOfEach = (requests: readonly FinishedRequest[]) =>
  requests.filter((request) => requests.find(({ experimentId }) => experimentId === request.experimentId) === request)

async function findChanges(context: SharedContext, since: string): Promise<NonNullable<HomeView['changes']>> {
  const { db, organization } = context
  const finishedRequests = await listFinished(context, { since, limit: shown.changed })
  const changed = { organizationId: organization.id, since, limit: shown.changed }
  return {
    finishedRequests,
    experiments: await listFlips(context, { requests: finishedRequests, since }),
    savedQueries: await findChangedQueries(db, changed),
    reports: await findChangedReports(db, changed),
  }
}
