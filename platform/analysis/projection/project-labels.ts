import type { Services } from '#platform/ground/context/context.ts'
import { rowWriter } from './row-writer.ts'
import { findPlacedLabels, type FinishedRun } from './store.ts'
import { toLabelRow } from './to-rows.ts'

const runsPerRead = 20

/** Sends every place that the labels of these runs ever used, so that removed labels disappear. */
export async function projectLabels(
  { db, analytics }: Pick<Services, 'db' | 'analytics'>,
  organizationId: string,
  runs: readonly FinishedRun[],
) {
  const rows = rowWriter(analytics, organizationId, 'labels')
  const labeled = runs.filter(({ labelSlots }) => labelSlots > 0)
  for (let start = 0; start < labeled.length; start += runsPerRead) {
    const some = labeled.slice(start, start + runsPerRead)
    const labels = await findPlacedLabels(
      db,
      some.map(({ id }) => id),
    )
    const byPlace = new Map(labels.map((label) => [`${label.runId} ${label.slot}`, label]))
    for (const run of some)
      for (let slot = 0; slot < run.labelSlots; slot += 1) {
        const label = byPlace.get(`${run.id} ${slot}`)
        await rows.add(toLabelRow(run, slot, label))
      }
  }
  await rows.send()
}
