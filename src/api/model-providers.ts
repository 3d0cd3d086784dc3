import { getModelProviders } from '#contract/model-providers.ts'
import { endpointOptions } from './query-client.ts'

export const modelProvidersOptions = () => endpointOptions(getModelProviders, {})
