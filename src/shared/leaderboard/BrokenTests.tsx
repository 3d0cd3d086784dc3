import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'
import { counted } from '#src/format/numbers.ts'
import type { BrokenTest } from './version-finding.ts'
import classes from './BrokenTests.module.css'

/** `reads quotes` fails in 5 of 5 runs of tokenizer in v2, and 2 other tests broke. Nothing if none did. */
export function BrokenTests({ broken, version }: { broken: readonly BrokenTest[]; version: string }) {
  const [first] = broken
  if (!first) return null
  const more = broken.length - 1
  const [group = ''] = first.groups
  return (
    // One line, so that what follows is on the first screen.
    <p className={classes.root}>
      <code>{first.test}</code> fails in {first.failed} of {counted(first.runs, 'run')} of{' '}
      {first.groups.length === 1 ? groupLabel(group) : counted(first.groups.length, 'group')} in {version}
      {more > 0 && `, and ${counted(more, 'other test')} broke`}
    </p>
  )
}
