import { Button } from '@mantine/core'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import type { Run, RunDetail } from '#contract/runs.ts'
import { callsOf } from '#contract/tool-calls/calls-of.ts'
import { clusterPartings, nearestFirst, type Parting } from '#contract/tool-calls/where-runs-part.ts'
import { comparedPassingRuns, solvedRunsOfPromptOptions } from '#src/api/runs.ts'
import { isStillLoading, type LoadedTranscript } from '#src/api/transcripts.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { count, counted, percent } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { Section } from '#src/ui/Section.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { conversationOf } from './conversation-of.ts'
import classes from './PassingRuns.module.css'

type Props = { run: RunDetail; onChoose: (id: string) => void }

/** Compares a failing run with the runs that solved its prompt, once someone asks for it: that loads their transcripts. */
export function PassingRuns({ run, onChoose }: Props) {
  const [isAsked, setAsked] = useState(false)
  return isAsked ? (
    <Section title="Where passing runs part from the left one">
      <Found run={run} onChoose={onChoose} />
    </Section>
  ) : (
    <Button variant="default" size="xs" mb={24} onClick={() => setAsked(true)}>
      Find the nearest passing run
    </Button>
  )
}

/** Null while turns are missing. Of a very long conversation only what loads by itself is compared. */
function combineConversations(results: readonly UseQueryResult<LoadedTranscript>[]) {
  const loaded = results.flatMap(({ data }) => (data && !isStillLoading(data) ? [data] : []))
  return {
    conversations: loaded.length === results.length ? loaded : null,
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
  }
}

function compareCalls(passing: readonly Run[], conversations: readonly LoadedTranscript[]) {
  const [own = [], ...others] = conversations.map(({ turns }) => callsOf(turns))
  return nearestFirst(
    own,
    passing.map((run, place) => ({ run, calls: others[place] ?? [] })),
  )
}

function Found({ run, onChoose }: Props) {
  const list = useQuery(solvedRunsOfPromptOptions(run))
  const passing = useMemo(() => list.data?.runs.filter(({ id }) => id !== run.id), [list.data, run.id])
  const { conversations, ...loaded } = useQueries({
    queries: [run, ...(passing ?? [])].map(conversationOf),
    combine: combineConversations,
  })
  const compared = useMemo(
    () => (passing && conversations ? compareCalls(passing, conversations) : null),
    [passing, conversations],
  )
  const error = list.error ?? loaded.error
  if (error) return <ErrorNotice title="The passing runs could not be compared" error={error} />
  if (!compared || !passing) return <LoadingArea label="Comparing the passing runs" height={120} />
  const [nearest] = compared
  if (!nearest) return <EmptyState title="No run solved this prompt in this version" />
  return (
    <>
      <p className={classes.nearest}>
        Nearest: <b>{runName(nearest.run)}</b>. {percent(nearest.alignment.likeness)} of the calls of both runs are the
        same.{' '}
        <Button size="compact-xs" variant="default" onClick={() => onChoose(nearest.run.id)}>
          Show it on the right
        </Button>
      </p>
      <ul className={classes.partings}>
        {clusterPartings(compared).map((parting) => (
          <PartingLine key={`${parting.shared} ${parting.others?.tool}`} parting={parting} all={compared.length} />
        ))}
      </ul>
      {passing.length === comparedPassingRuns && (
        <p className={mutedText.smallNote}>{`Compared with the newest ${count(comparedPassingRuns)} of them.`}</p>
      )}
    </>
  )
}

const runName = ({ variantId, repeat }: Run) => `${nameOfAxes(variantId)} #${repeat}`

function PartingLine({ parting: { shared, own, others, runs }, all }: { parting: Parting<Run>; all: number }) {
  const who = `${count(runs.length)} of ${counted(all, 'passing run')}`
  if (!own && !others) return <li>{`${who} made the same calls as the left run.`}</li>
  return (
    <li>
      {`${who}, ${shared === 0 ? 'at the first call' : `after ${counted(shared, 'same call')}`}: `}
      <code>{others?.summary ?? 'no more calls'}</code>
      {' where the left run has '}
      <code>{own?.summary ?? 'no more calls'}</code>
    </li>
  )
}
