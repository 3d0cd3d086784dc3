import type { Preset } from './preset.ts'

/** The model of background work, where a run may call no other model than its own. */
const smallModel = (model: string) => ({ ANTHROPIC_DEFAULT_HAIKU_MODEL: model, ANTHROPIC_SMALL_FAST_MODEL: model })

/** Claude Code, tested with 2.1.332. It reads ANTHROPIC_BASE_URL itself. */
export const claudeCode: Preset = {
  program: 'claude',
  npmPackage: '@anthropic-ai/claude-code',
  transcript: 'claude-stream-json',
  modes: {
    default: ['--permission-mode', 'bypassPermissions'],
    acceptEdits: ['--permission-mode', 'acceptEdits'],
    plan: ['--permission-mode', 'plan'],
  },
  credentials: () => [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
  ],
  start: ({ model, modeArgs, gateway }) => ({
    // Claude Code rejects stream-json without --verbose.
    args: ['--print', '--verbose', '--output-format', 'stream-json', ...modeArgs, ...(model ? ['--model', model] : [])],
    env: {
      // Without it, Claude Code rejects bypassPermissions for root, and the user may be root inside the sandbox.
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(model && gateway && !gateway.callsOtherModels && smallModel(model)),
    },
    homeFiles: {},
  }),
}
