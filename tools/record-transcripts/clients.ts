import type { PresetName } from '#contract/definition.ts'

type Argv = readonly string[]

/**
 * How a client is recorded. `continued` turns its command line into that of the next process of a session, and `stored`
 * into one whose session can be continued. `omits` names fields that are long and the same in every recording: lists of
 * tools, skills and capabilities.
 */
type Client = {
  model: string
  provider: string
  stored?: (argv: Argv) => Argv
  continued: (argv: Argv) => Argv
  omits: readonly string[]
}

/** The preset stores no session of Codex, so there would be nothing to resume. */
const storedByCodex = (argv: Argv) => argv.filter((argument) => argument !== '--ephemeral')

/** `resume` does not know `--color`. */
const continuedByCodex = (argv: Argv) =>
  storedByCodex(argv).flatMap((argument) => {
    if (argument === 'exec') return ['exec', 'resume', '--last']
    return argument === '--color' || argument === 'never' ? [] : [argument]
  })

export const clients: Record<PresetName, Client> = {
  'claude-code': {
    model: 'claude-sonnet-4-5',
    provider: 'anthropic',
    continued: (argv) => [...argv, '--continue'],
    omits: ['tools', 'skills', 'agents', 'slash_commands', 'terminal_slash_commands', 'capabilities', 'memory_paths'],
  },
  codex: { model: 'gpt-5', provider: 'openai', stored: storedByCodex, continued: continuedByCodex, omits: [] },
  'gemini-cli': {
    model: 'gemini-2.5-pro',
    provider: 'google',
    continued: (argv) => [...argv, '--resume', 'latest'],
    omits: [],
  },
  opencode: {
    model: 'claude-sonnet-4-5',
    provider: 'anthropic',
    continued: (argv) => [...argv, '--continue'],
    omits: [],
  },
}
