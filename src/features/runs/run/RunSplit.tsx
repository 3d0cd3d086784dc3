import { SegmentedControl, Splitter } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './RunSplit.module.css'

/** Tests and transcript side by side with a draggable divider. Narrow screens show one of the two. */
export function RunSplit({ tests, transcript }: { tests: ReactNode; transcript: ReactNode }) {
  const query = useQueryState()
  const hasRoom = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  useShortcut('toTest', () => query.set({ pane: hasRoom ? null : 'tests' }, 'test'))
  if (hasRoom)
    return (
      <Splitter className={classes.split} lineSize={1} withHandle={false} handleColor="var(--line)">
        <Splitter.Pane defaultSize={38} min={22} className={classes.pane}>
          {tests}
        </Splitter.Pane>
        <Splitter.Pane defaultSize={62} min={30} className={classes.pane}>
          {transcript}
        </Splitter.Pane>
      </Splitter>
    )
  const pane =
    query.one('pane') === 'transcript' || (query.one('turn') && query.one('pane') === '') ? 'transcript' : 'tests'
  return (
    <>
      <SegmentedControl
        size="xs"
        fullWidth
        value={pane}
        onChange={(pane) => query.set({ pane })}
        data={[
          { value: 'tests', label: 'Tests' },
          { value: 'transcript', label: 'Transcript' },
        ]}
      />
      <div className={classes.single}>
        {/* The tests stay mounted, because their shortcuts also work from the transcript. */}
        <div className={classes.tests} hidden={pane !== 'tests'}>
          {tests}
        </div>
        {pane === 'transcript' && transcript}
      </div>
    </>
  )
}
