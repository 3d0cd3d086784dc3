import { useState } from 'react'

import { isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { TranscriptHeader } from '#src/shared/transcript/TranscriptHeader.tsx'
import { useFind } from '#src/shared/transcript/use-find.ts'
import { useTranscript } from '#src/shared/transcript/use-transcript.ts'
import { Section } from '#src/ui/Section.tsx'
import { ComparedTranscript } from './ComparedTranscript.tsx'
import classes from './ComparePage.module.css'

/** Both transcripts with shared filters and one search that steps through both. */
export function ComparedTranscripts({ left, right }: { left: RunDetail; right: RunDetail }) {
  const [search, setSearch] = useState('')
  const leftTranscript = useTranscript(left.id, livenessOf(left))
  const rightTranscript = useTranscript(right.id, livenessOf(right))
  const leftFind = useFind(leftTranscript.turns, search)
  const rightFind = useFind(rightTranscript.turns, search)
  const isShort = Math.max(leftTranscript.turns.length, rightTranscript.turns.length) <= 8
  return (
    <Section title="Transcripts">
      <div className={classes.transcripts}>
        <TranscriptHeader search={search} onSearch={setSearch} finds={[leftFind, rightFind]} />
        <div className={classes.columns} data-short={isShort || undefined}>
          <ComparedTranscript side="left" run={left} transcript={leftTranscript} find={leftFind} />
          <ComparedTranscript side="right" run={right} transcript={rightTranscript} find={rightFind} />
        </div>
      </div>
    </Section>
  )
}

const livenessOf = ({ status }: RunDetail) => ({ isLive: !isTerminal(status), runSeenAt: 0 })
