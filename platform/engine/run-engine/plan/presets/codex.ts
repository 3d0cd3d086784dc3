import type { Preset, Variables } from './preset.ts'

const command = ['exec', '--json', '--color', 'never', '--ephemeral', '--skip-git-repo-check']

/**
 * Codex, tested with 0.171.0. It has no `plan` mode: the read-only mode of Codex uses its own sandbox, which cannot
 * start inside ours, so every command would fail.
 */
export const codex: Preset = {
  program: 'codex',
  npmPackage: '@openai/codex',
  transcript: 'codex-jsonl',
  modes: { default: ['--dangerously-bypass-approvals-and-sandbox'] },
  credentials: () => ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  start: ({ model, modeArgs, env, gateway }) => ({
    args: [
      ...command,
      ...modeArgs,
      ...gatewayArgs(env),
      // Codex offers the search to the model in every request, and the gateway would refuse the whole request.
      ...(gateway && !gateway.usesProviderTools ? ['-c', 'web_search="disabled"'] : []),
      ...(model ? ['--model', model] : []),
      // The prompt is on stdin.
      '-',
    ],
    env: keyOf(env),
    homeFiles: {},
  }),
}

/** `codex exec` reads its key from CODEX_API_KEY; it uses OPENAI_API_KEY only after a login. */
function keyOf(env: Variables): Variables {
  const key = env['OPENAI_API_KEY']
  return key === undefined ? {} : { CODEX_API_KEY: key }
}

/** The built-in provider tries WebSockets first. Few gateways support them, and the fallback is slow. */
function gatewayArgs(env: Variables) {
  const baseUrl = env['OPENAI_BASE_URL']
  if (baseUrl === undefined) return []
  const fields = [
    'name="gateway"',
    `base_url=${JSON.stringify(baseUrl)}`,
    'env_key="CODEX_API_KEY"',
    'wire_api="responses"',
    'supports_websockets=false',
  ]
  return ['-c', 'model_provider="gateway"', '-c', `model_providers.gateway={${fields.join(',')}}`]
}
