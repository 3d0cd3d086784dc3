import { readFile } from 'node:fs/promises'

import type { Command as Program } from 'commander'
import { load } from 'js-yaml'

type Run = (name: string, input: unknown) => Promise<void>

/** `assay run-policy …`: what the runs of an organization may use. */
export function addRunPolicyCommands(program: Program, runHere: Run) {
  const policy = program.command('run-policy').description('what the runs of an organization may use')
  policy
    .command('show')
    .description('print the run policy as JSON')
    .requiredOption('--org <slug>')
    .action((options) => runHere('run-policy show', options))
  policy
    .command('set')
    .description(
      'change the run policy; fields missing from the file keep their values. If the file contains the `updatedAt` that `show` printed, the command fails when the policy has changed since',
    )
    .requiredOption('--org <slug>')
    .requiredOption('--file <path>', 'the rules, as YAML or JSON')
    .action(async ({ org, file }) =>
      runHere('run-policy set', { org, rules: (load(await readFile(file, 'utf8')) as unknown) ?? {} }),
    )
}
