import { z } from 'zod'

import { UnusableTask } from './benchmark-task.ts'
import { notesOfService } from './compose-notes.ts'
import { fillComposeVariables, interpolate, withoutValue } from './fill-variables.ts'
import { noteOfUnknown } from './note-words.ts'
import { parseTaskYaml } from './read-task-file.ts'

const Value = z.union([z.string(), z.number(), z.boolean()]).nullable()

const Service = z.looseObject({
  image: z.string().nullish(),
  environment: z.union([z.array(z.string()), z.record(z.string(), Value)]).nullish(),
  network_mode: z.string().nullish(),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish(),
})
type Service = z.infer<typeof Service>

const Networks = z.record(z.string(), z.looseObject({ internal: z.boolean().nullish() }).nullable())

const Compose = z.looseObject({
  services: z.record(z.string(), Service),
  networks: Networks.nullish(),
})
type Compose = z.infer<typeof Compose>

export type ComposedContainer = {
  image: string | null
  env: Record<string, string>
  /** False if the container reaches no other machine. */
  network: boolean
  notes: string[]
}

/** Keys of the file itself that are read, or that change nothing for a single container. */
const keysOfFile = new Set(['services', 'networks', 'version', 'name'])

/**
 * Reads the container of a task from its Compose file. `name` is the name of the file. Throws UnusableTask for a task of
 * several containers, because a run has one root.
 */
export function readCompose(text: string, name: string): ComposedContainer {
  const parsed = Compose.safeParse(parseTaskYaml(text, name))
  if (!parsed.success) throw new UnusableTask(`${name} lists no services`)
  const services = Object.entries(parsed.data.services)
  const [only] = services
  if (!only) throw new UnusableTask(`${name} lists no services`)
  if (services.length > 1) {
    const names = services.map(([service]) => service).join(', ')
    throw new UnusableTask(`it needs ${services.length} containers (${names}), and a run has one`)
  }
  const [, service] = only
  const { env, unknown } = fillComposeVariables(pairsOf(service.environment ?? {}))
  const others = Object.keys(parsed.data).filter((key) => !keysOfFile.has(key) && !key.startsWith('x-'))
  return {
    image: service.image ? interpolate(service.image) : null,
    env,
    network: hasNetwork(service, parsed.data),
    notes: [...withoutValue(unknown), ...notesOfService(service), ...noteOfUnknown(name, others)],
  }
}

function pairsOf(written: NonNullable<Service['environment']>): [string, string | null][] {
  if (!Array.isArray(written))
    return Object.entries(written).map(([name, value]) => [name, value === null ? null : String(value)])
  return written.map((line) => {
    const at = line.indexOf('=')
    return at < 0 ? [line, null] : [line.slice(0, at), line.slice(at + 1)]
  })
}

/** A container whose networks are all internal reaches nothing but other containers, and it has none. */
function hasNetwork({ network_mode: mode, networks: joined }: Service, { networks }: Compose) {
  if (mode) return mode !== 'none'
  const names = Array.isArray(joined) ? joined : Object.keys(joined ?? {})
  const all = names.length > 0 ? names : ['default']
  return !all.every((name) => networks?.[name]?.internal === true)
}
