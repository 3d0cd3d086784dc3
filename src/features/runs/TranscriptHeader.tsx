import { Button } from '@mantine/core'

import type { LoadedTranscript } from '#src/api/transcripts.ts'
import { count } from '#src/format/numbers.ts'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { FindBar } from './FindBar.tsx'
import classes from './TranscriptPane.module.css'
import { kindWords, turnKinds, turnRoles } from './transcript-view.ts'
import type { Find } from './use-find.ts'
import type { useTranscript } from './use-transcript.ts'

type Props = ReturnType<typeof useTranscript> & { find: Find; isLive: boolean }

export function TranscriptHeader({ query, turns, roles, kinds, reasoning, find, isLive }: Props) {
  const url = useQueryState()
  return (
    <header className={classes.header}>
      <div className={classes.tools}>
        <h2 className={classes.title}>Transcript</h2>
        <MultiFilter label="Role" options={turnRoles} value={roles} onChange={(role) => url.set({ role })} />
        <MultiFilter
          label="Kind"
          options={turnKinds}
          value={kinds}
          onChange={(kind) => url.set({ kind })}
          labelOf={(kind) => kindWords[kind] ?? kind}
        />
        <Button
          variant={reasoning ? 'light' : 'default'}
          fw={450}
          aria-pressed={reasoning}
          onClick={() => url.set({ reasoning: reasoning ? null : '1' })}
        >
          Reasoning
        </Button>
        <FindBar find={find} />
      </div>
      {query.data && (
        <p className={classes.honest}>{describeExtent(query.data, turns.length, { isLive, reasoning })}</p>
      )}
    </header>
  )
}

/** How much of the conversation this is, and what is not in it. */
function describeExtent(
  { turns, total, skippedMalformed, hasMore }: LoadedTranscript,
  shown: number,
  { isLive, reasoning }: { isLive: boolean; reasoning: boolean },
) {
  return [
    `${count(shown)} shown of ${count(total)} turns${reasoning ? '' : ' without reasoning'}`,
    hasMore && `truncated: ${count(turns.length)} loaded so far`,
    skippedMalformed > 0 && `${count(skippedMalformed)} malformed lines skipped`,
    isLive && 'live',
  ]
    .filter(Boolean)
    .join(' · ')
}
