import { formatInsightBlock, type InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { Hunk } from '#src/editor/text-hunks.ts'

type SourceRange = { from: number; to: number }

/**
 * The change that replaces the block at this place, also in quotes and lists. Undefined if its text is no longer
 * `shown`.
 */
export function replaceBlock(
  body: string,
  { from, to }: SourceRange,
  shown: string,
  block: InsightBlock,
): Hunk | undefined {
  const [opening = '', ...rest] = body.slice(from, to).split('\n')
  if (!/^(`{3,}|~{3,})[ \t]*insight[ \t]*$/.test(opening)) return undefined
  // The prefix of the block's last line, such as a quote mark or indentation, is the prefix of each of its lines.
  const lead = /^[ \t>]*/.exec(rest.at(-1) ?? '')?.[0] ?? ''
  const inner = rest.slice(0, -1).map((line) => line.replace(/^[ \t>]*/, ''))
  const expected = shown.split('\n').map((line) => line.trimStart())
  if (inner.join('\n') !== expected.join('\n').trimEnd()) return undefined
  return { from, to, insert: formatInsightBlock(block).replaceAll('\n', `\n${lead}`) }
}
