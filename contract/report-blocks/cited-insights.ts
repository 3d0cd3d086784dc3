import { parseInsightBlock } from './insight-blocks.ts'

const opening = /^[ >]*(`{3,}|~{3,})([^`]*)$/

/** Returns the refs of all insights that a report's body cites in valid insight blocks, each once, in order. */
export function citedInsights(markdown: string): string[] {
  const refs = new Set<string>()
  let open: { marks: string; language: string; text: string[] } | undefined
  for (const line of markdown.split('\n')) {
    const [, marks = '', info = ''] = opening.exec(line) ?? []
    const language = info.trim()
    if (!open) {
      if (marks) open = { marks, language, text: [] }
    } else if (marks.startsWith(open.marks) && language === '') {
      const parsed = open.language === 'insight' ? parseInsightBlock(open.text.join('\n')) : undefined
      if (parsed && 'block' in parsed) refs.add(parsed.block.ref)
      open = undefined
    } else if (open.language === 'insight') {
      open.text.push(line.replace(/^[ >]*/, ''))
    }
  }
  return [...refs]
}
