import { Button, Radio, TextInput } from '@mantine/core'

import { putRunPolicy, type RunPolicy } from '#contract/run-policy.ts'
import { saveRunPolicy } from '#src/api/run-policy.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { LinesInput } from '#src/features/settings/LinesInput.tsx'
import { MovedPolicy } from '#src/features/settings/MovedPolicy.tsx'
import classes from './run-policy.module.css'
import { linesOf, numberOf } from '#src/features/settings/read-fields.ts'
import { usePolicyForm } from '#src/features/settings/use-policy-form.ts'
import formParts from '#src/ui/form-parts.module.css'

const labels = {
  network: 'Network',
  allowedHosts: 'Allowed hosts',
  blockedHosts: 'Blocked hosts',
  images: 'Images',
  registries: 'Allowed registries',
  maxTimeSeconds: 'Maximum duration',
  maxCostUsd: 'Maximum cost',
}

export function RunPolicyForm({ policy }: { policy: RunPolicy }) {
  const { form, moved, discard } = usePolicyForm(policy, {
    schema: putRunPolicy.body,
    send: saveRunPolicy,
    valuesOf: (rules) => ({
      network: rules.network,
      allowedHosts: rules.allowedHosts.join('\n'),
      blockedHosts: rules.blockedHosts.join('\n'),
      images: rules.images,
      registries: rules.registries.join('\n'),
      maxTimeSeconds: String(rules.maxTimeSeconds ?? ''),
      maxCostUsd: String(rules.maxCostUsd ?? ''),
    }),
    rulesOf: (values) => ({
      network: values.network,
      allowedHosts: linesOf(values.allowedHosts),
      blockedHosts: linesOf(values.blockedHosts),
      images: values.images,
      registries: linesOf(values.registries),
      maxTimeSeconds: numberOf(values.maxTimeSeconds),
      maxCostUsd: numberOf(values.maxCostUsd),
    }),
    fieldOf: (path, { network, images }) => {
      const field = path.split('.')[0] ?? ''
      const shown = {
        allowedHosts: network === 'allowed',
        blockedHosts: network === 'public',
        registries: images === 'allowed',
      }
      // An error in a hidden field is shown at the foot.
      return (shown as Record<string, boolean>)[field] === false ? undefined : field
    },
  })
  const { network, images } = form.values
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate autoComplete="off">
      <Radio.Group label="Network" {...form.getInputProps('network')}>
        <div className={classes.choices}>
          <Radio value="public" label="Any public address that the environment requests" />
          <Radio value="allowed" label="Only allowed hosts, named by the environment in network.allow" />
          <Radio value="none" label="No network" />
        </div>
      </Radio.Group>
      {network === 'allowed' && (
        <LinesInput
          label="Allowed hosts"
          description="One per line: api.example.com, *.example.org, or with a port. Model calls go through the gateway; this list does not affect them."
          {...form.getInputProps('allowedHosts')}
        />
      )}
      {network === 'public' && (
        <LinesInput
          label="Blocked hosts"
          description="One per line. Runs also cannot connect to bare IP addresses. A blocked server may still be reachable under another name; to rule that out, choose “Only allowed hosts”."
          {...form.getInputProps('blockedHosts')}
        />
      )}
      <Radio.Group label="Images" {...form.getInputProps('images')}>
        <div className={classes.choices}>
          <Radio value="any" label="Images from any registry, and builds" />
          <Radio value="allowed" label="Only images from allowed registries, and no builds" />
          <Radio value="none" label="No images: runs use the tools on the worker’s machine" />
        </div>
      </Radio.Group>
      {images === 'allowed' && (
        <LinesInput
          label="Allowed registries"
          description="One per line, such as docker.io or registry.example.com:5000."
          {...form.getInputProps('registries')}
        />
      )}
      <TextInput
        label="Maximum duration"
        description="Of a run, in seconds. Leave empty for no limit. Also applies to runs that set no limit of their own."
        inputMode="numeric"
        {...form.getInputProps('maxTimeSeconds')}
      />
      <TextInput
        label="Maximum cost"
        description="Of the model calls of a run, in US dollars. Leave empty for no limit. Also applies to runs that set no limit of their own."
        leftSection="$"
        inputMode="decimal"
        {...form.getInputProps('maxCostUsd')}
      />
      <MovedPolicy moved={moved} labels={labels} onDiscard={discard} />
      {form.failure && !moved && <ErrorNotice title="The run policy was not saved" error={form.failure} />}
      <Button type="submit" className={formParts.verbAtStart} loading={form.isPending}>
        Save policy
      </Button>
    </form>
  )
}
