import { z } from 'zod'

import type { Definition } from './definition.ts'
import { endpoint } from './endpoint.ts'
import { parseImageReference } from './image-reference.ts'
import { AllowedHostText, parseAllowedHost } from './network-policy.ts'
import { taskOf } from './task.ts'
import type { Variant } from './variants.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** `listed`: only environments with `network.allow` whose hosts are all listed. `public`: also every public address. */
export const RunNetworkRule = z.enum(['none', 'listed', 'public'])
/** `listed`: only images of listed registries, and no builds, because a Dockerfile may begin with any image. */
export const RunImageRule = z.enum(['none', 'listed', 'any'])

const hosts = z.array(AllowedHostText).max(200)
const Registry = z
  .string()
  .max(300)
  .refine(
    (text) => parseImageReference(`${text}/image`)?.registry === text,
    'must be a registry such as docker.io or registry.example.com:5000',
  )

const rules = {
  network: RunNetworkRule,
  allowedHosts: hosts,
  refusedHosts: hosts,
  images: RunImageRule,
  registries: z.array(Registry).max(50),
  maxTimeSeconds: z.int().min(1).max(86_400).nullable(),
  maxCostUsd: z.number().positive('must be more than 0').max(100_000).nullable(),
}

/** What the real runs of an organization may use. It is checked at the submission and again when a run starts. */
export const RunPolicy = z.object({ ...rules, updatedAt: Timestamp.nullable() })
export type RunPolicy = z.infer<typeof RunPolicy>
export type RunRules = Omit<RunPolicy, 'updatedAt'>

export const noRunRules: RunRules = {
  network: 'public',
  allowedHosts: [],
  refusedHosts: [],
  images: 'any',
  registries: [],
  maxTimeSeconds: null,
  maxCostUsd: null,
}

const shared = { base: '/admin/v1', errors: ['invalid_argument', 'unauthenticated', 'permission_denied'] } as const

export const getRunPolicy = endpoint({
  ...shared,
  name: 'runPolicy.get',
  method: 'GET',
  path: '/run-policy',
  summary: 'Get what the runs of the organization may use',
  response: RunPolicy,
})

export const putRunPolicy = endpoint({
  ...shared,
  name: 'runPolicy.put',
  method: 'PUT',
  path: '/run-policy',
  summary: 'Set what the runs of the organization may use (admins only)',
  body: z.object(rules),
  response: RunPolicy,
})

export type PolicyFault = { path: string; message: string }

type Selected = Pick<Variant, 'environment' | 'prompt' | 'agent'>

/** What the policy refuses in these variants of a definition, each once. */
export function policyFaults(policy: RunRules, definition: Definition, variants: readonly Selected[]): PolicyFault[] {
  const used = new Set(variants.map(({ environment }) => environment))
  const environments = (definition.environments ?? []).filter(({ id }) => used.has(id))
  const tasks = new Map(variants.map(({ prompt, agent }) => [`${prompt}~${agent}`, { prompt, agent }]))
  const faults = [
    ...environments.flatMap((environment) => [
      ...networkFaults(policy, environment),
      ...imageFaults(policy, environment),
    ]),
    ...[...tasks.values()].flatMap(({ prompt, agent }) => limitFaults(policy, definition, prompt, agent)),
  ]
  return [...new Map(faults.map((fault) => [fault.path + fault.message, fault])).values()]
}

type Environment = NonNullable<Definition['environments']>[number]

function networkFaults(policy: RunRules, { id, network = false }: Environment): PolicyFault[] {
  const path = `environments.${id}.network`
  if (network === false) return []
  if (policy.network === 'none') return [{ path, message: 'the organization allows runs no network' }]
  if (network === true)
    return policy.network === 'public'
      ? []
      : [{ path, message: 'the organization allows only listed hosts: name them in network.allow' }]
  const unlisted = network.allow.filter(
    (host) => policy.network === 'listed' && !policy.allowedHosts.some((allowed) => covers(allowed, host)),
  )
  const refused = network.allow.filter((host) => policy.refusedHosts.some((each) => covers(each, host)))
  return [
    ...unlisted.map((host) => ({ path, message: `the organization does not list the host ${host}` })),
    ...refused.map((host) => ({ path, message: `the organization refuses the host ${host}` })),
  ]
}

/** Whether every destination of `text` is one of `wider`. Without a port, a rule of the organization is for every port. */
function covers(wider: string, text: string) {
  const [outer, inner] = [parseAllowedHost(wider), parseAllowedHost(text)]
  if (!outer || !inner || (outer.port !== null && outer.port !== inner.port)) return false
  if (outer.isWildcard) return inner.host.endsWith(`.${outer.host}`) || (inner.isWildcard && inner.host === outer.host)
  return !inner.isWildcard && inner.host === outer.host
}

function imageFaults(policy: RunRules, { id, image, build }: Environment): PolicyFault[] {
  const path = `environments.${id}.${build ? 'build' : 'image'}`
  if (build && (policy.network !== 'public' || policy.refusedHosts.length > 0))
    return [{ path, message: 'the organization limits the network, and a build reaches every public address' }]
  if ((image === undefined && build === undefined) || policy.images === 'any') return []
  if (policy.images === 'none') return [{ path, message: 'the organization allows runs no images' }]
  if (build) return [{ path, message: 'the organization allows only images of listed registries, and no builds' }]
  const registry = parseImageReference(image ?? '')?.registry ?? ''
  return policy.registries.includes(registry)
    ? []
    : [{ path, message: `the organization does not list the registry ${registry}` }]
}

/** Why a run may not use its own address of a model server, which the model gateway would reach for it; null if it may. */
export function modelServerFault(policy: RunRules, host: string): PolicyFault | null {
  const isListed = (hosts: readonly string[]) => hosts.some((each) => covers(each, host))
  const isRefused = policy.network === 'public' ? isListed(policy.refusedHosts) : !isListed(policy.allowedHosts)
  return isRefused ? { path: 'env', message: `the organization does not allow the model server ${host}` } : null
}

/** A run without a limit of its own gets that of the organization. */
function limitFaults(policy: RunRules, definition: Definition, prompt: string | null, agent: string): PolicyFault[] {
  const { maxTimeSeconds, maxCostUsd } = taskOf(definition, prompt, agent).limits
  const faults: PolicyFault[] = []
  if (policy.maxTimeSeconds !== null && (maxTimeSeconds ?? 0) > policy.maxTimeSeconds)
    faults.push({
      path: 'limits.maxTimeSeconds',
      message: `the organization allows at most ${policy.maxTimeSeconds} seconds, not ${maxTimeSeconds}`,
    })
  if (policy.maxCostUsd !== null && (maxCostUsd ?? 0) > policy.maxCostUsd)
    faults.push({
      path: 'limits.maxCostUsd',
      message: `the organization allows at most $${policy.maxCostUsd}, not $${maxCostUsd}`,
    })
  return faults
}

/** One sentence for all faults. */
export const policyRefusal = (faults: readonly PolicyFault[]) =>
  `The run policy of the organization refuses this: ${faults.map(({ path, message }) => `${path}: ${message}`).join('; ')}`
