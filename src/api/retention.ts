import { keepPreviousData } from '@tanstack/react-query'

import type { CallInput } from '#contract/endpoint.ts'
import { getRetention, previewRetention, putRetention } from '#contract/retention.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

export const retentionOptions = () => endpointOptions(getRetention, {})

/** What rules would remove now. While the next answer loads, the last one is shown. */
export const retentionPreviewOptions = (rules: CallInput<typeof previewRetention>) => ({
  ...endpointOptions(previewRetention, rules),
  placeholderData: keepPreviousData,
})

/** Whether it was saved or not, somebody may have changed it. */
export const saveRetention = (rules: CallInput<typeof putRetention>) =>
  call(putRetention, rules).finally(() => queryClient.invalidateQueries({ queryKey: ['retention'] }))
