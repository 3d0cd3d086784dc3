import type { TranscriptFormat } from '#contract/definition.ts'

export type Variables = Readonly<Record<string, string>>

/** What a preset is started for. `env` is what the definition gives the agent; `provider` is whose model it is. */
type PresetInput = { model: string | null; provider: string | null; modeArgs: readonly string[]; env: Variables }

/** `env` stands below the definition's own variables; `homeFiles` are written to the agent's home before it starts. */
export type PresetStart = { args: readonly string[]; env: Variables; homeFiles: Readonly<Record<string, string>> }

/** A well-known agent client. It reads the prompt on stdin, asks nothing and prints one JSON event a line. */
export type Preset = {
  program: string
  npmPackage: string
  transcript: TranscriptFormat
  /** Arguments of each mode; `default` is the one of an agent without modes. */
  modes: Readonly<Record<string, readonly string[]>> & { readonly default: readonly string[] }
  /** Variables of which one must be set, or the client cannot reach its model. */
  credentials: (provider: string | null) => readonly string[]
  start: (input: PresetInput) => PresetStart
}
