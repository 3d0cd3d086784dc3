import type { Command } from 'commander'

import type { ApiCaller } from '#client/api/api-caller.ts'
import { connect, type ConnectionOptions } from '#client/api/connection.ts'
import type { ExitCode } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'
import { safeJson, visibleLines } from '#client/terminal/visible-lines.ts'
import { wrapWords } from '#client/terminal/wrap-words.ts'

/** What a command works with. */
export type Work = {
  io: Io
  isJson: boolean
  options: ConnectionOptions
  api: () => Promise<ApiCaller>
  /** Prints the result: the value as JSON with --json, or else the text. */
  show: (value: unknown, text: string) => void
  /** Says on standard error what goes on, which is no part of the result. */
  note: (text: string) => void
}

export type Verb = (work: Work) => Promise<ExitCode | void>

/** Adds commands, each of which runs a verb. */
export type Commands = {
  program: Command
  /** Adds a command that has --json and the options of a connection. */
  add: (usage: string, description: string, parent?: Command) => Command
  run: (command: Command, verb: Verb) => Promise<void>
}

export function workOf(io: Io, command: Command): Work {
  const { json, profile, org } = command.optsWithGlobals<{ json?: true; profile?: string; org?: string }>()
  const options = { ...(profile !== undefined && { profile }), ...(org !== undefined && { org }) }
  return {
    io,
    isJson: json === true,
    options,
    api: () => connect(io, options),
    show: (value, text) => io.out(json ? `${safeJson(value, 2)}\n` : endLine(visibleLines(text))),
    note: (text) => io.error(endLine(wrapWords(visibleLines(text), io.columns.error))),
  }
}

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
