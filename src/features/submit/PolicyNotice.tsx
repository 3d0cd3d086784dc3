import { Anchor } from '@mantine/core'

import type { RunEstimate } from '#contract/run-submission.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SubmitForm.module.css'

type Props = { refusals: RunEstimate['refusals']; onMock: () => void }

/** What the run policy does not allow, before the platform refuses the submission. */
export function PolicyNotice({ refusals, onMock }: Props) {
  if (refusals.length === 0) return null
  return (
    <Notice title="The run policy does not allow the selected runs.">
      {refusals.map(({ path, message }, place) => (
        <span key={path + message}>
          {place > 0 && '; '}
          <code className={classes.reference}>{path}</code>: {message}
        </span>
      ))}
      . Mock runs are allowed.{' '}
      <Anchor component="button" type="button" fz={13} onClick={onMock}>
        Use mock runs
      </Anchor>
    </Notice>
  )
}
