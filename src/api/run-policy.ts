import { getRunPolicy, putRunPolicy, type RunRules } from '#contract/run-policy.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

export const runPolicyOptions = () => endpointOptions(getRunPolicy, {})

export async function saveRunPolicy(rules: RunRules) {
  await call(putRunPolicy, rules)
  // Estimates say what the policy refuses.
  await Promise.all(['runPolicy', 'runs'].map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
}
