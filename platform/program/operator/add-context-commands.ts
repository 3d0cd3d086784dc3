import { readFile } from 'node:fs/promises'

import { Argument, type Command as Program, Option } from 'commander'
import { load } from 'js-yaml'

import { contextKinds } from '#contract/context-kinds.ts'

type Run = (name: string, input: unknown) => Promise<void>

/** `assay context …` and `assay announce`: Context records, and announcements to all users. */
export function addContextCommands(program: Program, runHere: Run) {
  const context = program.command('context').description('shared Context records, and suggestions to change them')

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    context
      .command(verb)
      .description(`${verb} suggestions for an organization`)
      .requiredOption('--org <slug>')
      .action(({ org }) => runHere('context enable', { org, enabled }))
  }

  context
    .command('put')
    .description('create or replace a record; fields missing from the file are cleared')
    .addArgument(new Argument('<kind>').choices(contextKinds))
    .argument('<id>')
    .requiredOption('--org <slug>')
    .requiredOption('--file <path>', 'the fields of the record, as YAML or JSON')
    .action(async (kind: string, id: string, { org, file }) =>
      runHere('context put', { org, kind, id, fields: load(await readFile(file, 'utf8')) }),
    )

  context
    .command('seed')
    .description('add the sample records that an organization does not have yet')
    .requiredOption('--org <slug>')
    .action((options) => runHere('context seed', options))

  context
    .command('list')
    .description('print the records of an organization')
    .requiredOption('--org <slug>')
    .action((options) => runHere('context list', options))

  context
    .command('suggestions')
    .description('print the pending suggestions')
    .requiredOption('--org <slug>')
    .action((options) => runHere('context suggestions', options))

  context
    .command('show')
    .description('print a suggestion with its changes')
    .argument('<suggestion>')
    .action((suggestion: string) => runHere('context show', { suggestion }))

  context
    .command('decide')
    .description('accept or reject a suggestion; accepting changes the record')
    .argument('<suggestion>')
    .addOption(new Option('--accept').conflicts('reject'))
    .addOption(new Option('--reject').conflicts('accept'))
    .option('--note <text>', 'a note to the author')
    .action(async (suggestion: string, { accept, reject, note }) => {
      if (!accept && !reject) throw new Error('Specify --accept or --reject')
      await runHere('context decide', { suggestion, decision: accept ? 'accepted' : 'rejected', note })
    })

  program
    .command('announce')
    .description('send a notification to every user of the platform')
    .requiredOption('--title <title>')
    .requiredOption('--message <message>')
    .option('--reference <reference>', 'repeating the command with the same reference sends nothing')
    .action((options) => runHere('announce', options))
}
