import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { announcePresence as endpoint } from '#contract/report-presence.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireReportId, unknownReport } from '#platform/results/reports/require-report.ts'
import { findPeople, putPresence, removeOldPresence } from './store.ts'

/** How long somebody is here after their browser last said so. It says so every 5 seconds while the page is visible. */
const hereSeconds = 15

/** Of a report with more readers, the newest. */
const mostPeople = 50

/** POST /reports/{reportId}/presence: the others are members of the organization. Errors: `not_found`. */
export async function announcePresence(
  { db, organization, caller }: Context,
  { reportId, quote, position }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const key = { organizationId: organization.id, reportId }
  const id = await requireReportId(db, key)
  await removeOldPresence(db, id, hereSeconds)
  const isHere = await putPresence(db, {
    reportId: id,
    userId: personOf(caller),
    quote: quote ?? null,
    position: position ?? null,
  })
  if (!isHere) throw unknownReport(key)
  const others = { reportId: id, organizationId: organization.id, exceptUserId: personOf(caller) }
  const rows = await findPeople(db, others, { seconds: hereSeconds, limit: mostPeople })
  return {
    people: rows.map(({ person, place }) => ({
      person,
      ...(place.quote !== null && { quote: place.quote }),
      ...(place.position !== null && { position: place.position }),
    })),
  }
}
