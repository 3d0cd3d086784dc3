import type { HostTraffic } from '#contract/network.ts'
import type { SandboxStatus } from '#contract/identity.ts'
import type { NetworkPolicy } from '#contract/network-policy.ts'
import { counted } from '#src/format/numbers.ts'
import { hostAndPort } from './host-and-port.ts'

/**
 * What the environment of a run allows, as a sentence. Only bubblewrap and containers give each run its own network; `sandbox-exec`
 * can only turn the machine's network off, and without a sandbox nothing can.
 */
export function describePolicy(policy: NetworkPolicy, sandbox: SandboxStatus['kind'] = 'bubblewrap'): string {
  if (sandbox === 'none')
    return 'This installation runs without a sandbox, so runs use the network of the machine, whatever the environment allows. Connections are not recorded.'
  if (sandbox === 'sandbox-exec' && policy === true)
    return 'The environment allows the network of the machine. Connections are not recorded.'
  if (policy === false) return 'The environment has no network.'
  if (policy === true) return 'The environment allows every public address.'
  return `The environment allows only ${policy.allow.join(', ')}.`
}

const maxNames = 3

/** Null if nothing was refused. */
export function describeRefusals(hosts: readonly HostTraffic[]): { title: string; text: string } | null {
  const refused = hosts.filter(({ refusals }) => refusals > 0)
  if (refused.length === 0) return null
  const names = refused.slice(0, maxNames).map(hostAndPort)
  const more = refused.length - names.length
  const list = more > 0 ? `${names.join(', ')} and ${counted(more, 'other host')}` : names.join(', ')
  const times = refused.reduce((sum, { refusals }) => sum + refusals, 0)
  return {
    title: `${counted(times, 'connection')} refused or failed.`,
    text: `The run tried to connect to ${list}. The table shows why.`,
  }
}
