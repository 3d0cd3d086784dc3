import { z } from 'zod'

import type { InsightView } from '#contract/insights.ts'
import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import { counted } from '#src/format/numbers.ts'

/** As much of a result as a report holds; `rowCount` is of the whole. */
export const PinnedTable = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.json())),
  rowCount: z.int().min(0),
})
export type PinnedTable = z.infer<typeof PinnedTable>

const pinnedRows = 20

type Pinnable = { value: PinnedTable; fingerprint: string }

/** A live result in the form that a report pins; undefined for a chart, which has no rows. */
export function toPinned({ columns, rows }: InsightView): Pinnable | undefined {
  if (!columns || !rows) return undefined
  const names = columns.map(({ name }) => name)
  const all = z.array(z.array(z.json())).parse(rows)
  return {
    value: { columns: names, rows: all.slice(0, pinnedRows), rowCount: all.length },
    fingerprint: fingerprintOf({ columns: names, rows: all }),
  }
}

/** What moved since, in a sentence; undefined when nothing did. */
export function describeDrift(fingerprint: string, then: PinnedTable, now: Pinnable): string | undefined {
  if (fingerprint === now.fingerprint) return undefined
  const [before, after] = [then.rows[0]?.at(-1), now.value.rows[0]?.at(-1)]
  if (then.rowCount === 1 && now.value.rowCount === 1 && before !== after) return `was ${before}, now ${after}`
  if (then.rowCount !== now.value.rowCount)
    return `had ${counted(then.rowCount, 'row')}, has ${counted(now.value.rowCount, 'row')} now`
  return 'the live result differs'
}
