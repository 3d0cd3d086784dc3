import { z } from 'zod'

import { chartReference } from '#contract/chart-kinds.ts'
import { formatCallout } from '#contract/report-blocks/callouts.ts'
import { fingerprintOf, formatInsightBlock, type InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { formatMention } from '#contract/report-blocks/mentions.ts'
import type { ResultTable } from '#contract/queries.ts'
import { figuresExperiment, savedQueries } from './saved-queries.ts'

type Pinned = { at: string; table: Pick<ResultTable, 'columns' | 'rows' | 'rowCount'> }

export const demoReport = {
  title: 'Which agent should we use?',
  description: 'Demo data: a finding with a live chart and a pinned one.',
}

/** Comments on the paragraph that starts with `on`. */
export const demoDiscussion = {
  on: 'This chart is pinned',
  question: 'Who ran these agents? We should say so.',
  answer: 'Others did. They are the published figures of **Terminal-Bench**, as the note at the top says.',
}

/** Pins a result in the form that the report page reads: its rows with their presentation. */
function pinned(ref: string, { at, table: { columns, rows, rowCount } }: Pinned): InsightBlock {
  const presentation = savedQueries.find(({ name }) => name === ref)?.insight.presentation
  const fingerprint = fingerprintOf({ columns: columns.map(({ name }) => name), rows })
  return {
    ref,
    title: 'Solved rate by agent and model, as published',
    pinned: { at, fingerprint, value: z.json().parse({ columns, rows, rowCount, presentation }) },
  }
}

export const writeDemoReport = (figures: Pinned) => `${formatCallout(
  'note',
  'This report is demo data. Its numbers are real: the scripted experiments ran on this machine, and the Terminal-Bench figures are published results.',
)}

## The published figures

${formatInsightBlock(pinned('demo-solved-by-submission', figures))}

This chart is pinned: it shows the result of the day it was pinned, and says so when the live result differs. All runs are in
${formatMention({ kind: 'experiment', id: figuresExperiment }, 'Terminal-Bench')}.

## Our own experiments

${formatInsightBlock({ ref: chartReference('parse-roman', 'leaderboard'), title: 'Roman numerals: the latest version, live' })}

- Version 2 of ${formatMention({ kind: 'experiment', id: 'parse-roman' }, 'Parse Roman numerals')} makes the hasty agent refuse
  invalid numerals. It now solves the prompt with examples, and still fails the short one.
- Version 2 of ${formatMention({ kind: 'experiment', id: 'csv-summary' }, 'Summarize a CSV file')} is a regression: the tokenizer
  no longer reads quoted fields.
- Version 2 of ${formatMention({ kind: 'experiment', id: 'find-the-word' }, 'Find the word')} ends in time, so both agents solve it.

## Next steps

1. Revert the change to the tokenizer.
2. Compare the two versions under **Results → Compare**.
3. Submit more repeats where the verdict is inconclusive.
`
