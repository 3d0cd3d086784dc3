import type { InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { counted } from '#src/format/numbers.ts'
import { FigureContent, type LiveFigure } from './figure-content.ts'

/** A report holds no more of a result. */
const pinnedRows = 60

/** The block as it stays from now on, whatever the insight answers later. */
export const pin = (block: InsightBlock, { content, fingerprint }: LiveFigure, at: string): InsightBlock => ({
  ...block,
  pinned: { at, fingerprint, value: { ...content, rows: content.rows.slice(0, pinnedRows) } },
})

/** The block as live as it was. */
export const unpin = ({ pinned: _pinned, ...block }: InsightBlock): InsightBlock => block

/** What was pinned; null when somebody's edit made it unreadable. */
export function pinnedContent(value: unknown): FigureContent | null {
  const content = FigureContent.safeParse(value).data
  if (!content?.headline) return content ?? null
  // Reports from before percentages had a space say `62%`, which must not read as a change to `62 %`.
  return { ...content, headline: content.headline.replace(/(\d)%$/, '$1 %') }
}

type Then = { fingerprint: string; content: FigureContent }

/** What moved since, in words; undefined when nothing did. `newRuns`: how many finished since, where that is known. */
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
