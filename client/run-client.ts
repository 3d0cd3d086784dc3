import { Command, CommanderError } from 'commander'

import { addAccountCommands } from '#client/account/account-commands.ts'
import { addCiCommand } from '#client/ci/ci-command.ts'
import { addDefinitionCommands } from '#client/definition/definition-commands.ts'
import { addImportCommand } from '#client/imports/import-command.ts'
import { addMcpCommand } from '#client/mcp/mcp-command.ts'
import { addReportCommands } from '#client/reports/report-commands.ts'
import { addResultCommands } from '#client/results/result-commands.ts'
import { addRunCommands } from '#client/runs/run-commands.ts'
import { ApiError } from '#src/api/errors.ts'
import { addCompletion } from './completion.ts'
import { CommandError, type ExitCode, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { visibleLines } from '#client/terminal/visible-lines.ts'
import { wrapWords } from '#client/terminal/wrap-words.ts'
import { type Commands, workOf } from './work.ts'

/** The launcher gives every other command to the operator's program. */
export const commandNames = () => clientProgram(silent).program.commands.map((command) => command.name())

/** Runs one command and returns its exit code. */
export async function runClient(words: readonly string[], io: Io): Promise<ExitCode> {
  const { program, ended } = clientProgram(io)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return ended()
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.broken
    io.error(`${wrapWords(visibleLines(describe(error)), io.columns.error)}\n`)
    return exitCodes.broken
  }
}

function clientProgram(io: Io) {
  let code: ExitCode = exitCodes.done
  const program = new Command('assay')
    .description('Assay from a terminal: push experiments, submit runs and read results')
    .showHelpAfterError('(--help shows how to use it)')
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: io.out,
      writeErr: (text) => io.error(wrapWords(text, io.columns.error)),
      getOutHelpWidth: () => io.columns.out ?? 80,
    })
    .addHelpText('after', firstSteps)
  const commands: Commands = {
    program,
    add: (usage, description, parent = program) =>
      parent
        .command(usage)
        .description(description)
        .option('--json', 'print the result as JSON')
        .option('--profile <name>', 'the profile to use; default: the one of the last login')
        .option('--org <slug>', 'the organization; needed if the key has access to several'),
    async run(command, verb) {
      code = (await verb(workOf(io, command))) ?? exitCodes.done
    },
  }
  program.commandsGroup('Account:')
  addAccountCommands(commands)
  program.commandsGroup('Definitions:')
  addDefinitionCommands(commands)
  program.commandsGroup('Runs:')
  addRunCommands(commands)
  program.commandsGroup('Results:')
  addResultCommands(commands)
  addReportCommands(commands)
  addImportCommand(commands)
  program.commandsGroup('Pipelines, agents and shells:')
  addCiCommand(commands)
  addMcpCommand(commands)
  addCompletion(commands, io)
  program.helpCommand('help [command]', 'show the options of a command')
  return { program, ended: () => code }
}

const firstSteps = `
First steps:
  assay init
  assay login <address>
  assay push
  assay submit --watch
  assay results`

function describe(error: unknown): string {
  if (error instanceof ApiError) {
    const faults = error.issues.map(({ path, message }) => `\n  ${path}: ${message}`).join('')
    const login = error.code === 'unauthenticated' ? '. Run: assay login' : ''
    const request = error.code === 'internal' && error.requestId ? ` (request ${error.requestId})` : ''
    return `${error.message}${login}${request}${error.issues.length > 1 ? faults : ''}`
  }
  if (error instanceof CommandError || error instanceof Error) return error.message
  return String(error)
}

const silent: Io = {
  env: {},
  folder: '.',
  out: () => {},
  error: () => {},
  isTerminal: false,
  columns: { out: null, error: null },
  ask: async () => '',
  readInput: async () => '',
  openBrowser: () => {},
  onInterrupt: () => () => {},
  wait: async () => {},
}
