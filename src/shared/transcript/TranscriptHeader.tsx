import { Button } from '@mantine/core'

import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { FindBar } from './FindBar.tsx'
import { describeExtent } from './describe-extent.ts'
import { usePlainText } from './plain-text.ts'
import { readTurnFilter } from './read-turn-filter.ts'
import classes from './TranscriptPane.module.css'
import { kindWords, turnKinds, turnRoles } from './transcript-view.ts'
import type { Find } from './use-find.ts'
import type { TranscriptState } from './use-transcript.ts'

type Props = {
  /** Omitted if each of several transcripts shows its own extent. */
  transcript?: TranscriptState
  search: string
  onSearch: (search: string) => void
  finds: readonly Find[]
}

export function TranscriptHeader({ transcript, ...find }: Props) {
  const url = useQueryState()
  const { roles, kinds, reasoning } = readTurnFilter(url)
  const outline = url.one('outline') === '1'
  const toggleOutline = () => url.set({ outline: outline ? null : '1' })
  const [isPlain, setPlain] = usePlainText()
  useShortcut('outline', toggleOutline)
  return (
    <header className={classes.header}>
      <div className={classes.tools}>
        <h2 className={classes.title}>Transcript</h2>
        <Button variant={outline ? 'light' : 'default'} fw={450} aria-pressed={outline} onClick={toggleOutline}>
          Outline
        </Button>
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
        <Button
          variant={isPlain ? 'light' : 'default'}
          fw={450}
          aria-pressed={isPlain}
          title="Show raw text instead of rendered Markdown"
          onClick={() => setPlain(!isPlain)}
        >
          Raw text
        </Button>
      </div>
      <p className={classes.honest}>{transcript?.query.data && describeExtent(transcript)}</p>
      <FindBar {...find} />
    </header>
  )
}
