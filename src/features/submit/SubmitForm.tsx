import { Button, Skeleton } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'

import { referencesNeededBy } from '#contract/secret-references.ts'
import { limits } from '#contract/wire/limit.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { submit, type Submission } from '#src/api/runs.ts'
import { missingSecretsOptions } from '#src/api/secrets.ts'
import { count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import dialogFoot from '#src/ui/dialog-foot.module.css'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { AxisChoices } from './AxisChoices.tsx'
import { PriceLine } from './PriceLine.tsx'
import { SecretsNotice } from './SecretsNotice.tsx'
import { selectedVariants, unknownChoices, type Selectors, toSubmissionFields } from './selected-variants.ts'
import { SubmitOptions } from './SubmitOptions.tsx'
import classes from './SubmitForm.module.css'
import { type Prefill, useSubmission } from './use-submission.ts'
import { VariantChoices } from './VariantChoices.tsx'

type Chosen = { version: string; selectors: Selectors; repeat: number; flags: string[]; mock: boolean }

/** What the form sends: only the fields in use. */
const toSubmission = (id: string, { version, selectors, repeat, flags, mock }: Chosen): Submission => ({
  id,
  version: version || undefined,
  repeat,
  mock: mock || undefined,
  flags: flags.length > 0 ? flags : undefined,
  ...toSubmissionFields(selectors),
})

/** Centers the error so the sticky footer doesn't cover it. */
const clearOfFoot = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

type Props = { experimentId: string; prefill: Prefill }

export function SubmitForm({ experimentId, prefill }: Props) {
  const navigate = useNavigate()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const [version, setVersion] = useState(prefill.version)
  const { data: experiment, error } = useQuery({
    ...experimentOptions(experimentId, version || undefined),
    placeholderData: keepPreviousData,
  })
  const form = useSubmission({ ...prefill, mock: prefill.mock || !caller.sandbox.available })
  const submitting = useMutation({
    mutationFn: submit,
    onSuccess: ({ runRequestId }) => navigate(paths.run(runRequestId)),
  })
  const variants = experiment ? selectedVariants(experiment.variants, form.selectors) : []
  const references = referencesNeededBy(experiment?.secretReferences ?? [], { variants, flags: form.flags })
  const { data: missing = [] } = useQuery(missingSecretsOptions(references))
  if (error) return <ErrorNotice title="This version could not be loaded" error={error} />
  if (!experiment) return <Skeleton height={240} />

  const runCount = variants.length * form.repeat
  const unknown = unknownChoices(experiment.variants, form.selectors)
  const whyNot =
    unknown.length > 0
      ? `This version has no ${unknown.join(', ')}`
      : runCount > limits.runsPerRequest
        ? `A request can have up to ${count(limits.runsPerRequest)} runs`
        : missing.length > 0 && !form.mock
          ? 'Real runs need the missing secrets'
          : null
  const submission = toSubmission(experimentId, { ...form, version })
  const send = (event: FormEvent) => {
    event.preventDefault()
    submitting.mutate(submission)
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <SubmitOptions
        experiment={experiment}
        version={version}
        onVersion={setVersion}
        form={form}
        sandbox={caller.sandbox}
      />
      {!form.mock && (
        <SecretsNotice
          missing={missing}
          mayCreate={permissionsOf(caller).manageSecrets}
          onMock={() => form.change({ mock: true })}
        />
      )}
      <div className={classes.choices}>
        <AxisChoices experiment={experiment} selectors={form.selectors} onSelect={form.select} />
        <VariantChoices
          variants={experiment.variants}
          selectors={form.selectors}
          onSelect={form.select}
          onClear={form.clear}
        />
      </div>
      {submitting.error && (
        <div ref={clearOfFoot}>
          <ErrorNotice title="No runs were submitted" error={submitting.error} />
        </div>
      )}
      <footer className={dialogFoot.foot}>
        <PriceLine
          submission={submission}
          variants={variants}
          repeat={form.repeat}
          mock={form.mock}
          onMock={() => form.change({ mock: true })}
        />
        <p className={classes.sum} aria-live="polite">
          {counted(variants.length, 'variant')} × {counted(form.repeat, 'repeat')} = <b>{counted(runCount, 'run')}</b>
          {whyNot && <span className={classes.why}>{whyNot}</span>}
        </p>
        <Button type="submit" size="sm" loading={submitting.isPending} disabled={whyNot !== null}>
          Submit {counted(runCount, 'run')}
        </Button>
      </footer>
    </form>
  )
}
