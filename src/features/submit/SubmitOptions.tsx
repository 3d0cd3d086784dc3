import { Checkbox, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Experiment } from '#contract/experiments.ts'
import type { SandboxStatus } from '#contract/identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { shortId } from '#src/format/ids.ts'
import { count } from '#src/format/numbers.ts'
import type { Form } from '#src/forms/use-form.ts'
import { Notice } from '#src/ui/Notice.tsx'
import type { SubmissionValues } from './submission-values.ts'
import classes from './SubmitForm.module.css'

const tooManyRepeats = `Enter at most ${count(limits.repeat)}`

type Props = {
  experiment: Experiment
  form: Form<SubmissionValues>
  sandbox: SandboxStatus
  hasVersion: boolean
}

export function SubmitOptions({ experiment, form, sandbox, hasVersion }: Props) {
  const { data } = useQuery(versionListOptions(experiment.id))
  const older = data?.versions.map(({ fingerprint, ordinal }) => ({
    value: fingerprint,
    label: `v${ordinal} · ${shortId(fingerprint)}`,
  }))
  return (
    <>
      <div className={classes.options}>
        {hasVersion && (
          <NativeSelect
            size="xs"
            label="Version"
            {...form.getInputProps('version')}
            data={[{ value: '', label: 'Latest' }, ...(older ?? [])]}
          />
        )}
        <NumberInput
          size="xs"
          label="Repeats of each variant"
          min={1}
          max={limits.repeat}
          clampBehavior="none"
          allowDecimal={false}
          {...form.getInputProps('repeat')}
          error={form.values.repeat > limits.repeat ? tooManyRepeats : form.errors['repeat']}
          onChange={(value) => form.setFieldValue('repeat', Math.max(1, Number(value) || 1))}
        />
        <NumberInput
          size="xs"
          label="Budget for model calls"
          placeholder="No budget"
          prefix="$"
          min={0}
          allowNegative={false}
          decimalScale={4}
          disabled={form.values.mock}
          {...form.getInputProps('maxCostUsd')}
          onChange={(value) => form.setFieldValue('maxCostUsd', typeof value === 'number' ? value : '')}
        />
        <Switch
          size="xs"
          className={classes.mock}
          label="Mock runs"
          description="Simulated, free"
          {...form.getInputProps('mock', { type: 'checkbox' })}
        />
      </div>
      {!sandbox.available && !form.values.mock && (
        <Notice title="Real runs aren’t available on this machine.">{sandbox.reason} Mock runs still work.</Notice>
      )}
      {experiment.flags.length > 0 && (
        <Checkbox.Group label="Flags" size="xs" {...form.getInputProps('flags')}>
          <div className={classes.flags}>
            {experiment.flags.map(({ id, description }) => (
              <Checkbox key={id} size="xs" value={id} label={id} description={description} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  )
}
