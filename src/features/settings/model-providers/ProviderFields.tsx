import { NativeSelect } from '@mantine/core'

import { type ModelProviders, providerLabels } from '#contract/model-providers.ts'
import { paths } from '#src/paths.ts'
import { usd } from '#src/format/money.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './model-providers.module.css'

const rules = [
  { value: 'any', label: 'Any key' },
  { value: 'own', label: 'Only your own keys' },
  { value: 'platform', label: 'Only the platform’s key' },
  { value: 'none', label: 'Not allowed' },
]

const otherRules = [
  { value: 'own', label: 'Your own keys' },
  { value: 'none', label: 'Not allowed' },
]

type Props = { providers: ModelProviders['providers']; getInputProps: (path: string) => object }

/** Whose key may pay for the models of each provider. */
export function ProviderFields({ providers, getInputProps }: Props) {
  return (
    <div className={classes.fields}>
      {providers.map(({ provider, hasPlatformKey, spentUsd }) => (
        <NativeSelect
          key={provider}
          label={providerLabels[provider]}
          description={`${hasPlatformKey ? 'The platform has a key.' : 'The platform has no key.'} ${usd(spentUsd)} spent this month.`}
          data={rules}
          {...getInputProps(`providers.${provider}`)}
        />
      ))}
      <NativeSelect
        label="Other providers"
        description="Such as Amazon Bedrock. Runs have these keys themselves, so Assay cannot check their models or measure their cost."
        data={otherRules}
        {...getInputProps('providers.other')}
      />
      <p className={classes.note}>
        Your own keys are <TextLink href={paths.secrets()}>secrets</TextLink> that a definition names as the apiKey of a
        model. Set monthly budgets for a provider under <TextLink href={paths.credits()}>Credits</TextLink>.
      </p>
    </div>
  )
}
