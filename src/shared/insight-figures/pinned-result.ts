import type { InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { counted } from '#src/format/numbers.ts'
import { FigureContent, type LiveFigure } from './figure-content.ts'

/** The maximum number of rows that a report stores. */
const pinnedRows = 60

/** Pins the current result, so that the block no longer changes. */
export const pin = (block: InsightBlock, { content, fingerprint }: LiveFigure, at: string): InsightBlock => ({
  ...block,
  pinned: { at, fingerprint, value: { ...content, rows: content.rows.slice(0, pinnedRows) } },
})

/** Removes the pinned result, so that the block is live again. */
export const unpin = ({ pinned: _pinned, ...block }: InsightBlock): InsightBlock => block

/** Reads a pinned result; null if an edit made it unreadable. */
export function pinnedContent(value: unknown): FigureContent | null {
  const content = FigureContent.safeParse(value).data
  if (!content?.headline) return content ?? null
  // Older reports contain `62%` without a space, which must not count as a change to `62 %`.
  return { ...content, headline: content.headline.replace(/(\d)%$/, '$1 %') }
}

type Then = { fingerprint: string; content: FigureContent }

/**
 * Describes the change since the result was pinned; undefined if there is none. `newRuns` is the number of runs
 * finished since, if known.
 */
export function describeDrift(then: Then, now: LiveFigure, newRuns: number | undefined): string | undefined {
  if (then.fingerprint === now.fingerprint) return undefined
  const why = causeOf(then.content, now.content, newRuns)
  return movement(then.content, now.content) + (why ? `: ${why}` : '')
}

function movement(then: FigureContent, now: FigureContent) {
  if (then.headline && now.headline && then.headline !== now.headline)
    return `was ${then.headline}, now ${now.headline}`
  if (then.rowCount !== now.rowCount) return `had ${counted(then.rowCount, 'row')}, now ${now.rowCount}`
  return then.headline ? `unchanged (${then.headline}), different rows` : 'the live result differs'
}

function causeOf(then: FigureContent, now: FigureContent, newRuns: number | undefined) {
  if (then.version !== now.version && now.runs !== undefined) return `${counted(now.runs, 'run')} from another version`
  // A lower count means there are no new runs.
  const more = then.runs === undefined || now.runs === undefined ? newRuns : now.runs - then.runs
  return more !== undefined && more > 0 ? counted(more, 'new run') : undefined
}
