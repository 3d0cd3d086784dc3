import { baseUrlVariable, keyVariable } from '#platform/models/providers.ts'
import { RunFailure } from '#platform/run-queue/run-failure.ts'
import type { Preset, Variables } from './preset.ts'

/** opencode, as tried with 1.18.33. Its own `plan` agent keeps from editing, but may run shell commands. */
export const opencode: Preset = {
  program: 'opencode',
  npmPackage: 'opencode-ai',
  transcript: 'opencode-json',
  modes: { default: ['--auto'], plan: ['--auto', '--agent', 'plan'] },
  credentials: (provider) =>
    provider === 'google'
      ? ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
      : [keyVariable(provider ?? 'anthropic'), 'OPENCODE_API_KEY'],
  start: ({ model, provider, modeArgs, env }) => ({
    args: ['run', '--format', 'json', '--thinking', ...modeArgs, ...modelArgs(model, provider)],
    env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config(provider, env)) },
    homeFiles: {},
  }),
}

function modelArgs(model: string | null, provider: string | null) {
  if (model === null) return []
  if (provider === null) throw new RunFailure(`opencode needs to know whose model ${model} is: give it a provider`)
  return ['--model', `${provider}/${model}`]
}

/** What others write without a version at its end, opencode wants with one. */
const versionPaths: Record<string, string> = { anthropic: '/v1', google: '/v1beta' }

function config(provider: string | null, env: Variables) {
  const baseUrl = provider === null ? undefined : env[baseUrlVariable(provider)]
  const quiet = { autoupdate: false, share: 'disabled' }
  if (provider === null || baseUrl === undefined) return quiet
  const version = versionPaths[provider] ?? ''
  const baseURL = baseUrl.endsWith(version) ? baseUrl : `${baseUrl.replace(/(?<!\/)\/+$/, '')}${version}`
  return { ...quiet, provider: { [provider]: { options: { baseURL } } } }
}
