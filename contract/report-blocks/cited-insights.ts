import { fencedBlocks } from './fenced-blocks.ts'
import { parseInsightBlock } from './insight-blocks.ts'

/** Returns the refs of all insights that a report's body cites in valid insight blocks, each once, in order. */
export function citedInsights(markdown: string): string[] {
  const refs = new Set<string>()
  for (const { language, text } of fencedBlocks(markdown)) {
    const parsed = language === 'insight' ? parseInsightBlock(text) : undefined
    if (parsed && 'block' in parsed) refs.add(parsed.block.ref)
  }
  return [...refs]
}
