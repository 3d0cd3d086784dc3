import type { CallInput } from '#contract/endpoint.ts'
import { getRunPolicy, putRunPolicy } from '#contract/run-policy.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

export const runPolicyOptions = () => endpointOptions(getRunPolicy, {})

/** Whether it was saved or not, somebody may have changed it. Estimates say what the policy refuses. */
export const saveRunPolicy = (policy: CallInput<typeof putRunPolicy>) =>
  call(putRunPolicy, policy).finally(() =>
    Promise.all(['runPolicy', 'runs'].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] }))),
  )
