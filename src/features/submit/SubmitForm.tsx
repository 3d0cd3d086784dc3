import { Anchor, Button, Skeleton } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { type RunEstimate, submitRuns } from '#contract/run-submission.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { runEstimateOptions, runSubmitter } from '#src/api/runs.ts'
import { counted } from '#src/format/numbers.ts'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import { PlanPower } from './PlanPower.tsx'
import { PriceLine } from './PriceLine.tsx'
import { SubmissionFields } from './SubmissionFields.tsx'
import { StopWhenDecided } from './StopWhenDecided.tsx'
import { type SubmissionValues, toNewSubmission, toSubmission } from './submission-values.ts'
import { whyNotDecidable } from './decidable.ts'
import classes from './SubmitForm.module.css'
import { useSelection } from './use-selection.ts'

const fieldsByPath: Record<string, string> = {
  version: 'version',
  repeat: 'repeat',
  maxCostUsd: 'maxCostUsd',
  'untilDecided.groupBy': 'decideBy',
  'untilDecided.between': 'decideLeft',
  'untilDecided.endUsd': 'endUsd',
}
const fieldOf = (path: string) => fieldsByPath[path]

/** Centers the error so the sticky footer doesn't cover it. */
export const clearOfFoot = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

type Props = { experimentId: string; prefill: SubmissionValues; onValuesChange: (values: SubmissionValues) => void }

export function SubmitForm({ experimentId, prefill, onValuesChange }: Props) {
  const navigate = useNavigate()
  const [submitOnce] = useState(runSubmitter)
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const form = useForm({
    initialValues: { ...prefill, mock: prefill.mock || !caller.sandbox.available },
    schema: submitRuns.body,
    toBody: toNewSubmission,
    send: (body) => submitOnce({ id: experimentId, ...body }),
    onSent: ({ runRequestId }) => navigate(paths.run(runRequestId)),
    fieldOf,
    onValuesChange,
  })
  const selection = useSelection(experimentId, form.values)
  const { experiment, error, variants, runCount, whyNot } = selection
  const { repeat, mock } = form.values
  const estimate = useQuery({
    ...runEstimateOptions({ id: experimentId, ...toSubmission(form.values) }),
    enabled: !mock && whyNot === null,
  })
  const refusals = (!mock && estimate.data?.refusals) || []
  if (error) return <ErrorNotice title="This version could not be loaded" error={error} />
  if (!experiment) return <Skeleton height={240} />
  const submission = { id: experimentId, ...toSubmission(form.values) }
  const toMock = () => form.setFieldValue('mock', true)
  const why =
    whyNot ??
    whyNotDecidable(form.values, variants, experiment.promptTasks) ??
    (refusals.length > 0 ? 'The run policy does not allow these runs' : null)
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <SubmissionFields form={form} experiment={experiment} selection={selection}>
        <PlanPower experiment={experiment} variants={variants} repeat={repeat} />
        <StopWhenDecided form={form} experiment={experiment} variants={variants} />
      </SubmissionFields>
      <PolicyNotice refusals={refusals} onMock={toMock} />
      {form.failure && (
        <div ref={clearOfFoot}>
          <ErrorNotice title="No runs were submitted" error={form.failure} />
        </div>
      )}
      <footer className={dialogFoot.foot}>
        <PriceLine submission={submission} variants={variants} repeat={repeat} mock={mock} onMock={toMock} />
        <p className={classes.sum} aria-live="polite">
          {counted(variants.length, 'variant')} × {counted(repeat, 'repeat')} = <b>{counted(runCount, 'run')}</b>
          {why && <span className={classes.why}>{why}</span>}
        </p>
        <Button type="submit" size="sm" loading={form.isPending} disabled={why !== null}>
          Submit {counted(runCount, 'run')}
        </Button>
      </footer>
    </form>
  )
}

type PolicyNoticeProps = { refusals: RunEstimate['refusals']; onMock: () => void }

/** What the run policy does not allow, before the platform refuses the submission. */
function PolicyNotice({ refusals, onMock }: PolicyNoticeProps) {
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
