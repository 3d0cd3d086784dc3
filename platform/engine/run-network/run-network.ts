import type { NetworkPolicy } from '#contract/network-policy.ts'
import { openEgress } from '#platform/ground/egress/egress-proxy.ts'
import type { EgressSettings } from '#platform/ground/egress/egress-settings.ts'
import type { HostTraffic } from '#platform/ground/egress/network-record.ts'
import { proxyVariables } from '#platform/ground/egress/proxy-variables.ts'
import type { Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { InfrastructureFailure } from '#platform/queue/run-queue/run-failure.ts'

/** `sandbox` runs commands that reach what the environment allows, and nothing else. */
type RunNetwork = { sandbox: Sandbox; traffic: () => HostTraffic[]; close: () => void }

/** Opens the network of one run or build. Throws RunFailure if this worker cannot limit it to the allowed hosts. */
export function openRunNetwork(
  { network: policy, blockedHosts }: { network: NetworkPolicy; blockedHosts: readonly string[] },
  sandbox: Sandbox,
  settings: EgressSettings,
): RunNetwork {
  const nothing = { traffic: () => [], close: () => {} }
  if (policy === false) return { ...nothing, sandbox }
  if (!sandbox.hasOwnNetwork) {
    if (policy !== true || blockedHosts.length > 0)
      throw new InfrastructureFailure(
        'This worker cannot limit a run to some hosts: network.allow and blocked hosts need bubblewrap on Linux, or SANDBOX=docker',
        'sandbox',
        { isTransient: false },
      )
    return { ...nothing, sandbox: { ...sandbox, spawn: (command) => sandbox.spawn({ ...command, hostNetwork: true }) } }
  }
  const egress = openEgress({ policy, blockedHosts, settings })
  return {
    sandbox: {
      ...sandbox,
      spawn: (command) =>
        sandbox.spawn({
          ...command,
          forwards: [...command.forwards, egress.forward],
          ...(egress.names && { names: egress.names }),
          env: { ...proxyVariables, ...command.env },
        }),
    },
    traffic: egress.hosts,
    close: egress.close,
  }
}
