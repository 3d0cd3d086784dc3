import type { NetworkPolicy } from '#contract/network-policy.ts'
import { coversHost } from '#contract/run-policy.ts'
import { UnusableTask } from './benchmark-task.ts'

/** What both policies allow. */
export function stricter(one: NetworkPolicy, other: NetworkPolicy): NetworkPolicy {
  if (one === false || other === false) return false
  if (one === true) return other
  if (other === true) return one
  const within = (hosts: readonly string[], wider: readonly string[]) =>
    hosts.filter((host) => wider.some((each) => coversHost(each, host)))
  return allowOnly([...within(one.allow, other.allow), ...within(other.allow, one.allow)])
}

const maxHosts = 200

/** Nothing, if there are no hosts. Throws `UnusableTask` for more hosts than a definition can have. */
export function allowOnly(hosts: readonly string[]): NetworkPolicy {
  const allow = [...new Set(hosts)]
  if (allow.length > maxHosts)
    throw new UnusableTask(`it allows ${allow.length} hosts, and a run can be limited to at most ${maxHosts}`)
  return allow.length > 0 && { allow }
}
