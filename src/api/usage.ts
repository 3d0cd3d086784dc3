import { keepPreviousData } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { getUsage } from '#contract/usage.ts'
import { endpointOptions } from './query-client.ts'

export type UsageFilters = CallInput<typeof getUsage>

export const usageOptions = (filters: UsageFilters) => ({
  ...endpointOptions(getUsage, filters),
  placeholderData: keepPreviousData,
})
