import { Checkbox, NativeSelect, NumberInput, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Experiment } from '#contract/experiments.ts'
import type { SandboxStatus } from '#contract/identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { versionListOptions } from '#src/api/experiments.ts'
import { shortId } from '#src/format/ids.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SubmitForm.module.css'
import type { useSubmission } from './use-submission.ts'

type Props = {
  experiment: Experiment
  /** '' is the latest version. */
  version: string
  onVersion: (version: string) => void
  form: ReturnType<typeof useSubmission>
  sandbox: SandboxStatus
}

export function SubmitOptions({ experiment, version, onVersion, form, sandbox }: Props) {
  const { data } = useQuery(versionListOptions(experiment.id))
  const older = data?.versions.map(({ fingerprint, ordinal }) => ({
    value: fingerprint,
    label: `v${ordinal} · ${shortId(fingerprint)}`,
  }))
  return (
    <>
      <div className={classes.options}>
        <NativeSelect
          size="xs"
          label="Version"
          value={version}
          onChange={(event) => onVersion(event.currentTarget.value)}
          data={[{ value: '', label: 'Latest' }, ...(older ?? [])]}
        />
        <NumberInput
          size="xs"
          label="Repeats of each variant"
          min={1}
          max={limits.repeat}
          clampBehavior="strict"
          allowDecimal={false}
          value={form.repeat}
          onChange={(value) => form.change({ repeat: Math.max(1, Number(value) || 1) })}
        />
        <Switch
          size="xs"
          className={classes.mock}
          label="Mock runs"
          description="Simulated, free"
          checked={form.mock}
          onChange={(event) => form.change({ mock: event.currentTarget.checked })}
        />
      </div>
      {!sandbox.available && !form.mock && (
        <Notice title="Real runs aren’t available on this machine.">{sandbox.reason} Mock runs still work.</Notice>
      )}
      {experiment.flags.length > 0 && (
        <Checkbox.Group label="Flags" size="xs" value={form.flags} onChange={(flags) => form.change({ flags })}>
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
