import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { UnusableTask } from './benchmark-task.ts'

const Variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({})
const seconds = z.number().positive().optional()
const network = {
  network_mode: z.enum(['public', 'no-network', 'allowlist']).optional(),
  allowed_hosts: z.array(z.string()).optional(),
}
const ofEnvironment = { ...network, allow_internet: z.boolean().optional() }

/**
 * The keys of task.toml that the import reads. Every other key becomes a note (harbor-notes.ts), so its type does not
 * matter.
 */
const HarborFile = z.looseObject({
  artifacts: z.array(z.union([z.string(), z.looseObject({ source: z.string() })])).default([]),
  steps: z.array(z.unknown()).default([]),
  /** Facts that its author states. Any other value has none. */
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  agent: z.looseObject({ timeout_sec: seconds, ...network }).prefault({}),
  verifier: z
    .looseObject({
      timeout_sec: seconds,
      env: Variables,
      ...network,
      environment_mode: z.string().optional(),
      environment: z.looseObject(ofEnvironment).optional(),
    })
    .prefault({}),
  solution: z.looseObject({ env: Variables }).prefault({}),
  environment: z
    .looseObject({
      ...ofEnvironment,
      docker_image: z.string().optional(),
      os: z.string().default('linux'),
      env: Variables,
      gpus: z.number().default(0),
      tpu: z.unknown().optional(),
      workdir: z.string().optional(),
    })
    .prefault({}),
})
export type HarborFile = z.infer<typeof HarborFile>

/** Reads the text of a task.toml. Throws `UnusableTask` with the fault. */
export function parseHarborFile(text: string): HarborFile {
  const parsed = HarborFile.safeParse(parseToml(text))
  if (parsed.success) return parsed.data
  throw new UnusableTask(`task.toml: ${sentencesOf(parsed.error)}`)
}

function parseToml(text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    const line = error instanceof TomlError ? ` (line ${error.line})` : ''
    throw new UnusableTask(`task.toml is not valid TOML${line}`)
  }
}
