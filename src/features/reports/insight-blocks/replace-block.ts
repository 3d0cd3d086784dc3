import { formatInsightBlock, type InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { Hunk } from '#src/editor/text-hunks.ts'

type SourceRange = { from: number; to: number }

/**
 * The change that puts a block in the place of the one whose text is `shown`, in quotes and lists too. Undefined when
 * something else stands there by now.
 */
export function replaceBlock(
  body: string,
  { from, to }: SourceRange,
  shown: string,
  block: InsightBlock,
): Hunk | undefined {
  const [opening = '', ...rest] = body.slice(from, to).split('\n')
  if (!/^(`{3,}|~{3,})[ \t]*insight[ \t]*$/.test(opening)) return undefined
  // What stands before the last line of a block, a quote's mark or a list's indentation, stands before each of its lines.
  const lead = /^[ \t>]*/.exec(rest.at(-1) ?? '')?.[0] ?? ''
  const inner = rest.slice(0, -1).map((line) => line.replace(/^[ \t>]*/, ''))
  const expected = shown.split('\n').map((line) => line.trimStart())
  if (inner.join('\n') !== expected.join('\n').trimEnd()) return undefined
  return { from, to, insert: formatInsightBlock(block).replaceAll('\n', `\n${lead}`) }
}
