import { memo } from 'react'

import { parseInsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import type { Mention } from '#contract/report-blocks/mentions.ts'
import { ReportMarkdown } from '#src/markdown/ReportMarkdown.tsx'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { InsightFigure } from './InsightFigure.tsx'
import classes from './reports.module.css'

export const ReportPreview = memo(function ReportPreview({ body }: { body: string }) {
  if (body.trim() === '') return <EmptyState title="Nothing written yet" hint="Type on the left; / inserts blocks." />
  return (
    <ReportMarkdown mentionHref={mentionHref} renderInsight={renderInsight}>
      {body}
    </ReportMarkdown>
  )
})

function mentionHref(mention: Mention) {
  if (mention.kind === 'experiment') return paths.experiment(mention.id)
  return mention.kind === 'run' ? paths.run(mention.id) : undefined
}

function renderInsight(text: string) {
  const parsed = parseInsightBlock(text)
  if ('block' in parsed) return <InsightFigure block={parsed.block} />
  return (
    <p role="note" className={classes.problem}>
      This insight block cannot be read. {parsed.problem}
    </p>
  )
}
