import { ActionIcon } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'

import { requestTestCap } from '#src/api/request-tests.ts'
import { count, counted } from '#src/format/numbers.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import type { FailurePosition } from './failure-walk.ts'
import classes from './TestsPane.module.css'
import { useFailureWalk } from './use-failure-walk.ts'
import type { RequestTests } from './use-request-tests.ts'

/** The position of this failure among all failures of the request, with links to the previous and next one. */
export function FailureSteps({ requestTests, place }: { requestTests: RequestTests; place: FailurePosition }) {
  const { walk, number, total } = useFailureWalk(requestTests, place)
  useShortcut('nextFailure', () => walk(1))
  useShortcut('previousFailure', () => walk(-1))
  if (!requestTests.isLoaded) return null
  if (total === 0) return <span className={classes.steps}>No failures</span>
  const all = `${count(total)}${requestTests.isCapped ? '+' : ''}`
  const cap = `Counts only the first ${count(requestTestCap)} tests of this request`
  return (
    <span className={classes.steps} title={requestTests.isCapped ? cap : undefined}>
      <output>
        {number > 0
          ? `Failure ${count(number)} of ${all} in this request`
          : `${counted(total, 'failure')} in this request`}
      </output>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Previous failure (p)" onClick={() => walk(-1)}>
        <IconChevronUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Next failure (n)" onClick={() => walk(1)}>
        <IconChevronDown size={14} aria-hidden />
      </ActionIcon>
    </span>
  )
}
