import { formatChartBlock, toPagePath } from '#contract/report-blocks/chart-blocks.ts'
import { formatClip } from '#contract/report-blocks/clips.ts'
import { formatInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { RequestedClip } from './clip-requests.ts'

/** A live or pinned figure of the page, or its text as it is now. */
export type ClipForm = 'figure' | 'pinned' | 'text'

/** The markdown of a clip. `pinned` is the id of its pinned figure. The time makes each clip unique. */
export function clipMarkdown(clip: RequestedClip, form: ClipForm, pinned?: string): string {
  if (form === 'text') return formatClip(clip)
  const ref = insightOf(clip.path)
  if (ref !== null) return formatInsightBlock(insightBlock(clip, ref))
  const title = clip.title.slice(0, 200)
  const page = toPagePath(clip.path)
  return formatChartBlock({ page, title, size: 'full', align: 'left', pinned, added: clip.clippedAt })
}

/** The live block of a saved insight. */
export const insightBlock = ({ clippedAt }: RequestedClip, ref: string) => ({ ref, added: clippedAt })

/** The reference of the saved insight whose page this is; null for other pages. */
export function insightOf(path: string) {
  const [, name] = /^\/insights\/([^/?#]+)$/.exec(path.split(/[?#]/, 1)[0] ?? '') ?? []
  return name === undefined || name === 'query' ? null : decodeURIComponent(name)
}
