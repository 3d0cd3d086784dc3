import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { RunDetail } from '#contract/runs.ts'
import { alignCalls, type Alignment, mostCalls } from '#contract/tool-calls/align-calls.ts'
import { callsOf } from '#contract/tool-calls/calls-of.ts'
import { partingOf } from '#contract/tool-calls/where-runs-part.ts'
import { count, counted, percent } from '#src/format/numbers.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import { Section } from '#src/ui/Section.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { conversationOf } from './conversation-of.ts'
import classes from './ComparedCalls.module.css'
import { StepRow } from './StepRow.tsx'

/** The steps around the parting that are shown first. */
const around = { before: 2, after: 6 }

/** The tool calls of two runs side by side, from where they first part. */
export function ComparedCalls({ left, right }: { left: RunDetail; right: RunDetail }) {
  const [one, other] = useQueries({ queries: [left, right].map(conversationOf) })
  const [lefts, rights] = [one?.data?.turns, other?.data?.turns]
  const alignment = useMemo(
    () => (lefts && rights ? alignCalls(callsOf(lefts), callsOf(rights)) : null),
    [lefts, rights],
  )
  const [isWhole, setWhole] = useState(false)
  if (!alignment || alignment.steps.length === 0) return null
  const { steps, parting, likeness } = alignment
  const from = isWhole ? 0 : Math.max(0, (parting ?? 0) - around.before)
  const shown = isWhole ? steps : steps.slice(from, from + around.before + around.after)
  return (
    <Section
      title="Tool calls"
      aside={<span className={mutedText.number}>{`${percent(likeness)} of the calls are the same`}</span>}
    >
      <p className={classes.sentence}>{sentenceOf(alignment)}</p>
      {parting !== null && (
        <ScrollRegion label="Tool calls of both runs" className={classes.frame}>
          <table className={classes.steps}>
            <thead>
              <tr>
                <th scope="col">Left</th>
                <th scope="col" aria-label="Relation" />
                <th scope="col">Right</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((step, place) => (
                <StepRow
                  key={`${step.left?.seq} ${step.right?.seq}`}
                  step={step}
                  isParting={from + place === parting}
                />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {parting !== null && (isWhole || shown.length < steps.length) && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show only where they part' : `Show all ${counted(steps.length, 'step')}`}
        </Button>
      )}
    </Section>
  )
}

function sentenceOf(alignment: Alignment): string {
  const parting = partingOf(alignment)
  const cut = alignment.isCut ? ` Only the first ${count(mostCalls)} calls after that are aligned.` : ''
  if (!parting) return `Both runs made the same ${counted(alignment.steps.length, 'tool call')}, in the same order.`
  const { shared, own, others } = parting
  const start =
    shared === 0 ? 'The runs part at the first tool call' : `The runs part after ${counted(shared, 'same tool call')}`
  const ends = !own ? ': the left run makes no more.' : !others ? ': the right run makes no more.' : '.'
  return `${start}${ends}${cut}`
}
