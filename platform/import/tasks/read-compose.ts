import { z } from 'zod'

import { UnusableTask } from './benchmark-task.ts'
import { parseTaskYaml } from './read-task-file.ts'

const Value = z.union([z.string(), z.number(), z.boolean()]).nullable()

const Service = z.looseObject({
  image: z.string().optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.union([z.array(z.string()), z.record(z.string(), Value)]).optional(),
  volumes: z.array(z.unknown()).optional(),
  privileged: z.boolean().optional(),
  cap_add: z.array(z.string()).optional(),
})

const Compose = z.object({ services: z.record(z.string(), Service) })

/** Paths that the harness of Terminal-Bench sets when it starts a task's containers. */
const harnessPaths: Record<string, string> = {
  T_BENCH_TEST_DIR: '/tests',
  T_BENCH_CONTAINER_LOGS_PATH: '/logs',
  T_BENCH_CONTAINER_AGENT_LOGS_PATH: '/agent-logs',
}

export type ComposedContainer = { image: string | null; env: Record<string, string>; notes: string[] }

/**
 * Reads the container of a task from its Compose file. Throws UnusableTask for a task of several containers, because a
 * run has one root.
 */
export function readCompose(text: string): ComposedContainer {
  const parsed = Compose.safeParse(parseTaskYaml(text, 'docker-compose.yaml'))
  if (!parsed.success) throw new UnusableTask('docker-compose.yaml lists no services')
  const services = Object.entries(parsed.data.services)
  const [only] = services
  if (!only) throw new UnusableTask('docker-compose.yaml lists no services')
  if (services.length > 1) {
    const names = services.map(([name]) => name).join(', ')
    throw new UnusableTask(`it needs ${services.length} containers (${names}), and a run has one`)
  }
  const [, service] = only
  const { env, unknown } = readEnvironment(service.environment)
  return {
    image: service.image && !service.image.includes('$') ? service.image : null,
    env,
    notes: [
      ...(unknown.length > 0 ? [`Variables without a value are left out: ${unknown.join(', ')}`] : []),
      ...(startsProgram(service.command) ? ['The command of its container is not started'] : []),
      ...(service.privileged || service.cap_add?.length ? ['Its container’s extra privileges are not given'] : []),
      ...(hasOwnVolumes(service.volumes) ? ['Volumes of its container are not mounted'] : []),
    ],
  }
}

function readEnvironment(written: z.infer<typeof Service>['environment']) {
  const pairs = Array.isArray(written)
    ? written.map((line): [string, string | null] => {
        const at = line.indexOf('=')
        return at < 0 ? [line, null] : [line.slice(0, at), line.slice(at + 1)]
      })
    : Object.entries(written ?? {}).map(([name, value]): [string, string | null] => [
        name,
        value === null ? null : String(value),
      ])
  return sortVariables(pairs)
}

/** Separates variables with a value from those that take it from the machine of the harness. */
export function sortVariables(pairs: readonly (readonly [string, string | null])[]) {
  const env: Record<string, string> = {}
  const unknown: string[] = []
  for (const [name, written] of pairs) {
    const value = written?.replace(/\$\{(\w+)\}/g, (whole, path: string) => harnessPaths[path] ?? whole) ?? '$'
    if (value.includes('$') || value.includes('\0') || !/^[A-Za-z_]\w*$/.test(name)) unknown.push(name)
    else env[name] = value
  }
  return { env, unknown }
}

const waits = /^(sh|bash|sleep|tail|infinity|-c|\/bin\/(ba)?sh|-f|\/dev\/null|sleep infinity|tail -f \/dev\/null)$/

function startsProgram(command: string | readonly string[] | undefined) {
  if (command === undefined) return false
  const words = typeof command === 'string' ? [command] : command
  return words.some((word) => !waits.test(word.trim())) && !/sleep infinity|tail -f/.test(words.join(' '))
}

/** The harness mounts its folders for logs, which every run has anyway. */
const hasOwnVolumes = (volumes: readonly unknown[] = []) =>
  volumes.some((volume) => typeof volume !== 'string' || !volume.includes('T_BENCH_'))
