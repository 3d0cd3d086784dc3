import { Button, Radio } from '@mantine/core'

import type { ModelProviders } from '#contract/model-providers.ts'
import { putRunPolicy, type RunPolicy } from '#contract/run-policy.ts'
import { saveRunPolicy } from '#src/api/run-policy.ts'
import { LinesInput } from '#src/features/settings/LinesInput.tsx'
import { MovedPolicy } from '#src/features/settings/MovedPolicy.tsx'
import { linesOf } from '#src/features/settings/read-fields.ts'
import { usePolicyForm } from '#src/features/settings/use-policy-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import formParts from '#src/ui/form-parts.module.css'
import classes from './model-providers.module.css'
import { fromPriceTexts, toPriceTexts } from './own-price-texts.ts'
import { OwnPrices } from './OwnPrices.tsx'
import { ProviderFields } from './ProviderFields.tsx'

const labels = {
  providers: 'Providers',
  models: 'Models',
  allowedModels: 'Allowed models',
  ownPrices: 'Your prices',
}

type Props = { policy: RunPolicy; providers: ModelProviders['providers'] }

export function ModelRulesForm({ policy, providers }: Props) {
  const { form, moved, discard } = usePolicyForm(policy, {
    schema: putRunPolicy.body,
    send: saveRunPolicy,
    valuesOf: (rules) => ({
      providers: rules.providers,
      models: rules.models,
      allowedModels: rules.allowedModels.join('\n'),
      ownPrices: rules.ownPrices.map(toPriceTexts),
    }),
    rulesOf: (values) => ({
      providers: values.providers,
      models: values.models,
      allowedModels: linesOf(values.allowedModels),
      ownPrices: values.ownPrices.map(fromPriceTexts),
    }),
    fieldOf: (path, { models, ownPrices }) => {
      const [field, index] = path.split('.')
      if (field === 'allowedModels') return models === 'allowed' ? field : undefined
      if (field !== 'ownPrices' || ownPrices.length === 0) return field
      return index === undefined ? 'ownPrices.0.model' : path
    },
  })
  return (
    <form onSubmit={form.submit} noValidate autoComplete="off">
      <Section title="Providers">
        <ProviderFields
          providers={providers}
          isLimited={form.values.models === 'allowed'}
          getInputProps={form.getInputProps}
        />
      </Section>
      <Section title="Models">
        <div className={classes.fields}>
          <Radio.Group aria-label="Models" {...form.getInputProps('models')}>
            <div className={classes.choices}>
              <Radio value="any" label="Any model of an allowed provider" />
              <Radio value="allowed" label="Only the models listed here" />
            </div>
          </Radio.Group>
          {form.values.models === 'allowed' && (
            <LinesInput
              label="Allowed models"
              description="One id per line, such as claude-sonnet-4-5. Dated snapshots of a model are allowed with it."
              {...form.getInputProps('allowedModels')}
            />
          )}
        </div>
      </Section>
      <Section title="Your prices">
        <OwnPrices
          prices={form.values.ownPrices}
          getInputProps={form.getInputProps}
          onAdd={() => form.insertListItem('ownPrices', toPriceTexts(null))}
          onRemove={(index) => form.removeListItem('ownPrices', index)}
        />
      </Section>
      <div className={classes.foot}>
        <MovedPolicy moved={moved} labels={labels} onDiscard={discard} />
        {form.failure && !moved && <ErrorNotice title="The run policy was not saved" error={form.failure} />}
        <Button type="submit" className={formParts.verbAtStart} loading={form.isPending}>
          Save policy
        </Button>
      </div>
    </form>
  )
}
