import { readFile } from 'node:fs/promises'

import type { Command as Program } from 'commander'
import { load } from 'js-yaml'

type Run = (name: string, input: unknown) => Promise<void>

const rulesOf = async (file: string) => (load(await readFile(file, 'utf8')) as unknown) ?? {}

/** `assay retention …`: how long an organization keeps what it stores. */
export function addRetentionCommands(program: Program, runHere: Run) {
  const retention = program.command('retention').description('how long an organization keeps what it stores')
  retention
    .command('show')
    .description('print the rules as JSON')
    .requiredOption('--org <slug>')
    .action((options) => runHere('retention show', options))
  retention
    .command('preview')
    .description('print as JSON what rules would remove now; removes nothing')
    .requiredOption('--org <slug>')
    .option(
      '--file <path>',
      'rules to preview, as YAML or JSON; fields missing from the file keep their current values',
    )
    .action(async ({ org, file }) =>
      runHere('retention preview', { org, rules: file === undefined ? {} : await rulesOf(file) }),
    )
  retention
    .command('set')
    .description(
      'change the rules; fields missing from the file keep their values. If the file contains the `updatedAt` that `show` printed, the command fails when the rules have changed since',
    )
    .requiredOption('--org <slug>')
    .requiredOption('--file <path>', 'the rules, as YAML or JSON')
    .action(async ({ org, file }) => runHere('retention set', { org, rules: await rulesOf(file) }))
  retention
    .command('sweep')
    .description('remove old data now instead of waiting for the hourly cleanup')
    .requiredOption('--org <slug>')
    .option('--without-grace', 'skip the 24-hour wait after a change of the rules; recorded in the audit log')
    .action((options) => runHere('retention sweep', options))
}
