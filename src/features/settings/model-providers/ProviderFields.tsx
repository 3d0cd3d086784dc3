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

type Props = {
  providers: ModelProviders['providers']
  /** Whether only the listed models are allowed. */
  isLimited: boolean
  getInputProps: (path: string) => object
}

const ofOthers =
  'For example Amazon Bedrock. Runs receive these keys directly, so Assay cannot check which models they call or what they cost.'
const othersRefused =
  'Other providers are refused while only the listed models are allowed, because Assay cannot check which models they call.'

/** Whose key may pay for the models of each provider. */
export function ProviderFields({ providers, isLimited, getInputProps }: Props) {
  return (
    <div className={classes.fields}>
      {providers.map(({ provider, hasPlatformKey, spentUsd }) => (
        <NativeSelect
          key={provider}
          label={providerLabels[provider]}
          description={`${hasPlatformKey ? 'Platform key available.' : 'No platform key.'} Runs of its models cost ${usd(spentUsd)} this month, including compute.`}
          data={rules}
          {...getInputProps(`providers.${provider}`)}
        />
      ))}
      <NativeSelect
        label="Other providers"
        description={isLimited ? othersRefused : ofOthers}
        data={otherRules}
        {...getInputProps('providers.other')}
      />
      <p className={classes.note}>
        Your own keys are <TextLink href={paths.secrets()}>secrets</TextLink> that a definition sets as a model’s
        apiKey. Set monthly budgets for a provider under <TextLink href={paths.credits()}>Credits</TextLink>.
      </p>
    </div>
  )
}
