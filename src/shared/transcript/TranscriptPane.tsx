import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'

import { TranscriptBody } from './TranscriptBody.tsx'
import { TranscriptHeader } from './TranscriptHeader.tsx'
import classes from './TranscriptPane.module.css'
import { useFind } from './use-find.ts'
import { useTranscript } from './use-transcript.ts'

type Props = {
  runId: string
  isLive: boolean
  runSeenAt: number
  isImported: boolean
  removed: string | undefined
  /** The page shows above how the agent ended, with what it printed on stderr. */
  stderrIsAbove: boolean
}

/** The transcript of a run with its filters and search. */
export function TranscriptPane({ runId, isImported, removed, stderrIsAbove, ...liveness }: Props) {
  const transcript = useTranscript(runId, liveness)
  const [search, setSearch] = useState('')
  const find = useFind(transcript.turns, search)
  return (
    <section className={classes.pane} aria-label="Transcript">
      <VisuallyHidden component="h2">Transcript</VisuallyHidden>
      <TranscriptHeader transcript={transcript} search={search} onSearch={setSearch} finds={[find]} />
      <TranscriptBody
        transcript={transcript}
        find={find}
        isImported={isImported}
        removed={removed}
        stderrIsAbove={stderrIsAbove}
      />
    </section>
  )
}
