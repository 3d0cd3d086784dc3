import type { TranscriptFormat } from '#contract/definition.ts'

export type Variables = Readonly<Record<string, string>>

/** What a run may do at the model gateway: call other models than its own, and use tools that the provider runs. */
export type GatewayUse = { callsOtherModels: boolean; usesProviderTools: boolean }

/**
 * The input of a preset. `env` is what the definition gives the agent; `provider` is the provider of the model.
 * `gateway` is null for a run that reaches its model in another way.
 */
type PresetInput = {
  model: string | null
  provider: string | null
  modeArgs: readonly string[]
  env: Variables
  gateway: GatewayUse | null
}

/**
 * How to start a preset's client. The definition's variables override `env`; `homeFiles` are written to the agent's
 * home first.
 */
export type PresetStart = { args: readonly string[]; env: Variables; homeFiles: Readonly<Record<string, string>> }

/**
 * A known agent client. It reads the prompt from stdin, never asks for confirmation and prints one JSON event per line.
 */
export type Preset = {
  program: string
  npmPackage: string
  transcript: TranscriptFormat
  /** The arguments of each mode. An agent without modes uses `default`. */
  modes: Readonly<Record<string, readonly string[]>> & { readonly default: readonly string[] }
  /** The names of the credential variables. The client needs at least one of them to reach its model. */
  credentials: (provider: string | null) => readonly string[]
  start: (input: PresetInput) => PresetStart
}
