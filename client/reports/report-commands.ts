import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { appendBlock } from '#contract/reports.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Commands, Verb } from '#client/work.ts'
import { paths } from '#src/paths.ts'

/** Appends a file or what is on standard input, so that a script can write what it found. */
const appendToReport =
  (report: string, file: string | undefined): Verb =>
  async (work) => {
    const { io, api, show } = work
    const isInput = file === undefined || file === '-'
    if (isInput && io.isTerminal) work.note('Write the Markdown here, and end it with Ctrl-D on a line of its own')
    const markdown = isInput ? await io.readInput() : await readText(resolve(io.folder, file), file)
    const caller = await api()
    const { report: changed } = await caller.call(appendBlock, { reportId: idOf(report), markdown })
    show(changed, `Appended to ${changed.title}:\n${caller.url}${paths.report(changed.id)}`)
  }

/** People have the address of a report, which ends with its id. */
const idOf = (report: string) => /\/reports\/([^/?#]+)/.exec(report)?.[1] ?? report

async function readText(path: string, file: string) {
  return readFile(path, 'utf8').catch(() => {
    throw new CommandError(`${file} could not be read`)
  })
}

export function addReportCommands({ program, add, run }: Commands) {
  const report = program.command('report').description('append to a report')
  const append = add('append', 'append Markdown to the end of a report', report)
    .argument('<report>', 'the id or the address of the report')
    .argument('[file]', 'the Markdown; default: standard input')
    .action((id: string, file: string | undefined) => run(append, appendToReport(id, file)))
}
