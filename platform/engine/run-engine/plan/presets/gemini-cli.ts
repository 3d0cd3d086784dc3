import type { Preset, Variables } from './preset.ts'

/** Gemini CLI, tested with 0.61.0. It reads GOOGLE_GEMINI_BASE_URL itself. */
export const geminiCli: Preset = {
  program: 'gemini',
  npmPackage: '@google/gemini-cli',
  transcript: 'gemini-stream-json',
  modes: {
    default: ['--approval-mode', 'yolo'],
    auto_edit: ['--approval-mode', 'auto_edit'],
    plan: ['--approval-mode', 'plan'],
  },
  credentials: () => ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
  start: ({ model, modeArgs, env }) => ({
    args: ['--output-format', 'stream-json', '--skip-trust', ...modeArgs, ...(model ? ['--model', model] : [])],
    env: {},
    homeFiles: { '.gemini/settings.json': settings(env) },
  }),
}

/** Names the authentication method: with only a base URL, Gemini CLI picks one that fails without a terminal. */
const settings = (env: Variables) =>
  JSON.stringify({
    security: { auth: { selectedType: env['GEMINI_API_KEY'] === undefined ? 'vertex-ai' : 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  })
