import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)

/** Runs a script with an npx that prints each of its arguments on a line. */
async function runScript(script: string, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-template-'))
  await writeFile(join(folder, 'npx'), '#!/bin/sh\nprintf "%s\\n" "$@"\n')
  await chmod(join(folder, 'npx'), 0o755)
  const { stdout } = await run('bash', ['-ec', script], { env: { PATH: `${folder}:${process.env['PATH']}`, ...env } })
  return stdout.trimEnd().split('\n')
}

const env = { ASSAY_PACKAGE: './assay.tgz', ASSAY_FILE: 'a b.yaml' }

test('the action of GitHub runs assay ci, and no input can become a command', async () => {
  const Action = z.object({
    runs: z.object({ steps: z.array(z.object({ run: z.string(), env: z.record(z.string(), z.string()) })) }),
  })
  const [step] = Action.parse(load(await readFile('client/templates/action.yml', 'utf8'))).runs.steps
  expect(step?.run).not.toContain('${{')
  expect(step?.env['ASSAY_API_KEY']).toBe('${{ inputs.api-key }}')
  const words = await runScript(step?.run ?? '', { ...env, ASSAY_ARGUMENTS: '--repeat 10 $(touch /tmp/never) ;id' })
  const before = [
    '--yes',
    '--package',
    './assay.tgz',
    'assay',
    'ci',
    'a b.yaml',
    '--comment',
    '--junit',
    'assay-junit.xml',
  ]
  expect(words).toEqual([...before, '--repeat', '10', '$(touch', '/tmp/never)', ';id'])
})

test('the documented workflow gives the action every required input and no unknown one', async () => {
  const [, block = ''] = /^(    on:\n(?: {4}.*\n)+)/m.exec(await readFile('docs/using-assay.md', 'utf8')) ?? []
  const Workflow = z.object({
    jobs: z.object({
      assay: z.object({ steps: z.array(z.object({ with: z.record(z.string(), z.string()).optional() })) }),
    }),
  })
  const { steps } = Workflow.parse(load(block)).jobs.assay
  const given = Object.keys(steps.find((step) => step.with)?.with ?? {})
  const Action = z.object({ inputs: z.record(z.string(), z.object({ required: z.boolean().optional() })) })
  const { inputs } = Action.parse(load(await readFile('client/templates/action.yml', 'utf8')))
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(given))
  expect(given).toEqual(expect.arrayContaining(Object.keys(inputs).filter((name) => inputs[name]?.required)))
})

test('the template of GitLab runs assay ci, and undecided is a warning', async () => {
  const Template = z.object({
    assay: z.object({ script: z.array(z.string()), allow_failure: z.object({ exit_codes: z.int() }) }),
  })
  const { assay } = Template.parse(load(await readFile('client/templates/gitlab.yml', 'utf8')))
  expect(assay.allow_failure.exit_codes).toBe(2)
  const words = await runScript(assay.script.join('\n'), env)
  expect(words).toContain('a b.yaml')
})
