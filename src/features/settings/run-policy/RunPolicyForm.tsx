import { Button, Radio, Textarea, TextInput } from '@mantine/core'

import { putRunPolicy, type RunPolicy } from '#contract/run-policy.ts'
import { saveRunPolicy } from '#src/api/run-policy.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './run-policy.module.css'

const linesOf = (text: string) => text.split(/[\s,]+/).filter((line) => line !== '')
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text))

/** Give it the time of the last change as its key, so that it starts again when the policy changes elsewhere. */
export function RunPolicyForm({ policy }: { policy: RunPolicy }) {
  const form = useForm({
    initialValues: {
      network: policy.network,
      allowedHosts: policy.allowedHosts.join('\n'),
      refusedHosts: policy.refusedHosts.join('\n'),
      images: policy.images,
      registries: policy.registries.join('\n'),
      maxTimeSeconds: String(policy.maxTimeSeconds ?? ''),
      maxCostUsd: String(policy.maxCostUsd ?? ''),
    },
    schema: putRunPolicy.body,
    toBody: (values) => ({
      network: values.network,
      allowedHosts: linesOf(values.allowedHosts),
      refusedHosts: linesOf(values.refusedHosts),
      images: values.images,
      registries: linesOf(values.registries),
      maxTimeSeconds: numberOf(values.maxTimeSeconds),
      maxCostUsd: numberOf(values.maxCostUsd),
    }),
    send: saveRunPolicy,
    fieldOf: (path, { network, images }) => {
      const field = path.split('.')[0] ?? ''
      const shown = {
        allowedHosts: network === 'listed',
        refusedHosts: network === 'public',
        registries: images === 'listed',
      }
      // A fault in a field that is not shown is told by the platform.
      return (shown as Record<string, boolean>)[field] === false ? undefined : field
    },
  })
  const { network, images } = form.values
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate autoComplete="off">
      <Radio.Group label="Network" {...form.getInputProps('network')}>
        <div className={classes.choices}>
          <Radio value="public" label="Every public address, if the environment asks for it" />
          <Radio value="listed" label="Only listed hosts, which the environment names in network.allow" />
          <Radio value="none" label="None" />
        </div>
      </Radio.Group>
      {network === 'listed' && (
        <Textarea
          label="Listed hosts"
          description="One per line: api.example.com, *.example.org, or with a port. Runs reach models through the gateway, whatever is listed here."
          autosize
          minRows={2}
          {...form.getInputProps('allowedHosts')}
        />
      )}
      {network === 'public' && (
        <Textarea
          label="Refused hosts"
          description="One per line. Runs can then reach no address without a name. The same server under another name stays open: to be certain, list hosts instead."
          autosize
          minRows={2}
          {...form.getInputProps('refusedHosts')}
        />
      )}
      <Radio.Group label="Images" {...form.getInputProps('images')}>
        <div className={classes.choices}>
          <Radio value="any" label="Images of every registry, and builds" />
          <Radio value="listed" label="Only images of listed registries, and no builds" />
          <Radio value="none" label="None: runs use the tools of the worker’s machine" />
        </div>
      </Radio.Group>
      {images === 'listed' && (
        <Textarea
          label="Listed registries"
          description="One per line, such as docker.io or registry.example.com:5000."
          autosize
          minRows={2}
          {...form.getInputProps('registries')}
        />
      )}
      <TextInput
        label="Longest time of a run"
        description="In seconds. Empty for no limit. A run without a limit of its own gets this one."
        inputMode="numeric"
        {...form.getInputProps('maxTimeSeconds')}
      />
      <TextInput
        label="Highest cost of a run"
        description="Of its model calls, in US dollars. Empty for no limit. A run without a limit of its own gets this one."
        leftSection="$"
        inputMode="decimal"
        {...form.getInputProps('maxCostUsd')}
      />
      {form.failure && <ErrorNotice title="The policy was not changed" error={form.failure} />}
      <Button type="submit" className={classes.verb} loading={form.isPending}>
        Save policy
      </Button>
    </form>
  )
}
