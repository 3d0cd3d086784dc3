import { baseUrlVariable, keyVariable } from '#platform/ground/models/providers.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import type { Preset, Variables } from './preset.ts'

/** opencode, tested with 1.18.33. Its `plan` agent does not edit files but can run shell commands. */
export const opencode: Preset = {
  program: 'opencode',
  npmPackage: 'opencode-ai',
  transcript: 'opencode-json',
  modes: { default: ['--auto'], plan: ['--auto', '--agent', 'plan'] },
  credentials: (provider) =>
    provider === 'google'
      ? ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
      : [keyVariable(provider ?? 'anthropic'), 'OPENCODE_API_KEY'],
  start: ({ model, provider, modeArgs, env, gateway }) => ({
    args: ['run', '--format', 'json', '--thinking', ...modeArgs, ...modelArgs(model, provider)],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        ...config(provider, env),
        ...(model && provider && gateway && !gateway.callsOtherModels && { small_model: `${provider}/${model}` }),
      }),
      // Without internet access, opencode would wait for its model catalog.
      ...(gateway && { OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    },
    homeFiles: {},
  }),
}

function modelArgs(model: string | null, provider: string | null) {
  if (model === null) return []
  if (provider === null) throw new RunFailure(`opencode needs the provider of the model ${model}: add a provider`)
  return ['--model', `${provider}/${model}`]
}

/** Base URLs need a version at the end for opencode; other clients take them without one. */
const versionPaths: Record<string, string> = { anthropic: '/v1', google: '/v1beta' }

function config(provider: string | null, env: Variables) {
  const baseUrl = provider === null ? undefined : env[baseUrlVariable(provider)]
  const quiet = { autoupdate: false, share: 'disabled' }
  if (provider === null || baseUrl === undefined) return quiet
  const version = versionPaths[provider] ?? ''
  const baseURL = baseUrl.endsWith(version) ? baseUrl : `${baseUrl.replace(/(?<!\/)\/+$/, '')}${version}`
  return { ...quiet, provider: { [provider]: { options: { baseURL } } } }
}
