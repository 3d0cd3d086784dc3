import { VisuallyHidden } from '@mantine/core'

import { counted } from '#src/format/numbers.ts'
import classes from './VersionDiff.module.css'

/** `+2 −1`, also in words. */
export const DiffStats = ({ added, removed }: { added: number; removed: number }) => (
  <output className={classes.stats}>
    {added + removed === 0 ? (
      'No changes'
    ) : (
      <>
        <b className={classes.added}>+{added}</b> <b className={classes.removed}>−{removed}</b>
        <VisuallyHidden>
          {' '}
          {counted(added, 'line')} added, {counted(removed, 'line')} removed
        </VisuallyHidden>
      </>
    )}
  </output>
)
