import type { PresetName } from '#contract/definition.ts'
import { RunFailure } from '#platform/run-queue/run-failure.ts'
import { presets } from './all-presets.ts'
import type { PresetStart, Variables } from './preset.ts'

/** A run of a preset agent, as far as its client needs to know. */
export type PresetRun = {
  preset: PresetName
  mode: string | null
  model: string | null
  provider: string | null
  network: boolean
  env: Variables
}

/** What to start in the sandbox; `missing` is said when the program is not there. */
export type AgentStart = Omit<PresetStart, 'args'> & { argv: readonly string[]; missing: string | null }

/** The command of a preset agent. Throws RunFailure for what would keep its client from ever reaching a model. */
export function startPreset({ preset: name, mode, network, ...input }: PresetRun): AgentStart {
  const preset = presets[name]
  if (!network) throw new RunFailure(`${name} needs the network: set network: true on the environment`)
  const modeArgs = Object.hasOwn(preset.modes, mode ?? 'default') ? preset.modes[mode ?? 'default'] : undefined
  if (!modeArgs) throw new RunFailure(`${name} has no mode ${mode}; it has ${Object.keys(preset.modes).join(', ')}`)
  const credentials = preset.credentials(input.provider)
  if (!credentials.some((variable) => input.env[variable])) {
    throw new RunFailure(`${name} has no key: give the model an apiKey, or the agent one of ${credentials.join(', ')}`)
  }
  const { args, env, homeFiles } = preset.start({ ...input, modeArgs })
  return {
    argv: [preset.program, ...args],
    env,
    homeFiles,
    missing: `${preset.program} is not installed on this worker (npm package ${preset.npmPackage})`,
  }
}
