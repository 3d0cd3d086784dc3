import { formatChartBlock, toPagePath } from '#contract/report-blocks/chart-blocks.ts'
import { formatClip } from '#contract/report-blocks/clips.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { RequestedClip } from './clip-requests.ts'

/** The markdown of a clip: a live figure of its page, or its text as it is now. The time makes each unique. */
export function clipMarkdown(clip: RequestedClip, isFigure: boolean): string {
  if (!isFigure) return formatClip(clip)
  const ref = insightOf(clip.path)
  if (ref !== null) return formatInsightBlock({ ref, added: clip.clippedAt })
  const title = clip.title.slice(0, 200)
  return formatChartBlock({ page: toPagePath(clip.path), title, size: 'full', align: 'left', added: clip.clippedAt })
}

/** The reference of the saved insight whose page this is; null for other pages. */
function insightOf(path: string) {
  const [, name] = /^\/insights\/([^/?#]+)$/.exec(path.split(/[?#]/, 1)[0] ?? '') ?? []
  return name === undefined || name === 'query' ? null : decodeURIComponent(name)
}
