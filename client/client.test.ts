import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'
import { startClient, type TestClient } from '#client/testing/start-client.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { commandNames } from './run-client.ts'

let client: TestClient
beforeAll(async () => {
  client = await startClient()
  await write('experiment.yaml', twoByTwo())
})
afterAll(() => client.close())

const write = (name: string, text: string) => writeFile(join(client.folder, name), text)
const loggedOut = { ASSAY_URL: '', ASSAY_API_KEY: '' }

test('the launcher gives the client its own commands, and all others to the operator’s program', async () => {
  const launcher = await readFile('tools/assay.mjs', 'utf8')
  const [, listed = ''] = /'(login [a-z ]+)'/.exec(launcher) ?? []
  expect(listed.split(' ').toSorted()).toEqual(commandNames().toSorted())
})

test('login keeps a pasted key in a file that only its owner can read, and logout deletes it', async () => {
  const env = loggedOut
  const { code, error, out } = await client.assay(['login', client.url, '--with-key'], {
    env,
    input: `${client.platform.admin}\n`,
  })
  expect([code, error]).toEqual([0, ''])
  expect(out).toContain(`Logged in to ${client.url} as`)
  const file = join(client.folder, 'config/profiles.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await client.assay(['whoami', '--json'], { env })).out).toContain('"slug": "lab"')
  expect((await client.assay(['logout'], { env })).code).toBe(0)
  expect(await readFile(file, 'utf8')).not.toContain(client.platform.admin)
  expect(await client.assay(['whoami'], { env })).toMatchObject({ code: 3, error: 'Not logged in. Run: assay login\n' })
})

test('login makes a key that a person approves in the browser, and that only its hash is known of before', async () => {
  const { platform } = client
  const approve = async (page: string) => {
    const { approve: hash, prefix, name } = Object.fromEntries(new URL(page).searchParams)
    return platform.request('POST', '/admin/v1/me/keys/approve', { body: { hash, prefix, name } })
  }
  let waits = 0
  const opened: string[] = []
  const logIn = (onWait: (page: string) => Promise<unknown>) =>
    client.assay(['login', client.url], {
      env: loggedOut,
      isTerminal: true,
      openBrowser: (page) => opened.push(page),
      onWait: async () => void (await onWait(opened.at(-1) ?? '')),
    })
  const { code, error, out } = await logIn(async (page) => {
    waits += 1
    if (waits === 3) await approve(page)
  })
  expect([code, waits]).toEqual([0, 3])
  expect(out).toContain(`Logged in to ${client.url} as`)
  const { profiles } = JSON.parse(await readFile(join(client.folder, 'config/profiles.json'), 'utf8'))
  const { key } = profiles.default
  expect(error).toContain(
    `Approve the key ${key.slice(0, 12)}… in your browser, which opens this page:\n${opened[0]}\n`,
  )
  expect(opened[0]).not.toContain(key.slice(12))
  expect(await approve(opened[0] ?? '')).toMatchObject({ status: 409 })
  const { json } = await platform.request('GET', '/admin/v1/audit-log?page_size=100')
  expect(JSON.stringify(json)).not.toContain('unknown key')

  expect(await logIn(async () => {})).toMatchObject({ code: 3, error: expect.stringContaining('within ten minutes') })
})

test('a file of keys that others can read is refused, with the command that mends it', async () => {
  await mkdir(join(client.folder, 'open'), { recursive: true })
  await writeFile(join(client.folder, 'open/profiles.json'), '{"current":"a","profiles":{}}', { mode: 0o644 })
  await chmod(join(client.folder, 'open/profiles.json'), 0o644)
  const env = { ...loggedOut, ASSAY_CONFIG_DIR: join(client.folder, 'open') }
  const { code, error } = await client.assay(['whoami'], { env })
  expect([code, error]).toEqual([3, expect.stringContaining('Run: chmod 600')])
})

test('the key of the environment goes to no other address than that of the environment', async () => {
  expect(await client.assay(['whoami'], { env: { ASSAY_URL: '' } })).toMatchObject({
    code: 3,
    error: expect.stringContaining('ASSAY_URL is not'),
  })
})

test('a wrong key, an unreachable server and a server that redirects end with code 3 and a sentence', async () => {
  const wrong = await client.assay(['whoami'], { env: { ASSAY_API_KEY: 'assay_wrong' } })
  expect([wrong.code, wrong.error]).toEqual([3, expect.stringContaining('Run: assay login')])
  const away = await client.assay(['whoami'], { env: { ASSAY_URL: 'http://127.0.0.1:9' } })
  expect([away.code, away.error]).toEqual([3, expect.stringContaining('http://127.0.0.1:9 could not be reached')])
  const seen: (string | undefined)[] = []
  const other = createServer(({ headers }, response) => {
    seen.push(headers.authorization)
    response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  const redirected = await client.assay(['whoami'], { env: { ASSAY_URL: `http://127.0.0.1:${port}` } })
  other.close()
  expect([redirected.code, redirected.error]).toEqual([3, expect.stringContaining('redirects to')])
  expect(seen).toHaveLength(1)
})

test('requests go through the proxy of the environment, but not those to this machine', async () => {
  const seen: string[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    seen.push(url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const env = { HTTPS_PROXY: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
  const away = await client.assay(['whoami'], { env: { ...env, ASSAY_URL: 'https://assay.example' } })
  expect([away.code, seen]).toEqual([3, ['assay.example:443']])
  expect((await client.assay(['whoami'], { env })).code).toBe(0)
  proxy.close()
})

test('init writes a valid definition with a line for editors, and never overwrites a file', async () => {
  const first = await client.assay(['init', 'first.yaml'], { env: loggedOut })
  expect(first.out).toBe(
    'Wrote first.yaml.\nLog in with: assay login <address of the app>\nPush it with: assay push first.yaml\n',
  )
  const made = await client.assay(['init', 'made.yaml'])
  expect(made).toMatchObject({ code: 0, out: 'Wrote made.yaml. Push it with: assay push made.yaml\n' })
  const text = await readFile(join(client.folder, 'made.yaml'), 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=http:\/\/127\.0\.0\.1:\d+\/schemas\/experiment\.json\n/)
  expect((await client.assay(['check', 'made.yaml'])).out).toContain('made.yaml is valid: word-count, 2 variants')
  expect((await client.assay(['init', 'made.yaml'])).code).toBe(3)
})

test('check names the line of each fault and ends with code 1', async () => {
  await write('broken.yaml', 'id: Parse Roman\nname: x\nagents: soon\n')
  const { code, out } = await client.assay(['check', 'broken.yaml'])
  expect([code, out]).toEqual([
    1,
    'broken.yaml:1: id must be kebab-case: lower-case letters, digits and single hyphens\nbroken.yaml:3: agents must be a list\n',
  ])
})

test('with --json, push says what is wrong as check does', async () => {
  await write('broken.yaml', 'id: Parse Roman\nname: x\nagents: soon\n')
  const checked = await client.assay(['check', 'broken.yaml', '--json'])
  const pushed = await client.assay(['push', 'broken.yaml', '--json'])
  expect([pushed.code, JSON.parse(pushed.out)]).toEqual([1, JSON.parse(checked.out)])
  expect(JSON.parse(pushed.out)).toMatchObject({ isValid: false, problems: [{ line: 1 }, { line: 3 }] })
})

test('push stages only the files that the organization lacks, and diff shows what changed since', async () => {
  await mkdir(join(client.folder, 'fixtures'), { recursive: true })
  await write('fixtures/cases.json', '[]')
  const files = 'files:\n  - { source: fixtures, dest: fixtures }\n'
  await write('staged.yaml', twoByTwo('staged', files))
  const first = await client.assay(['push', 'staged.yaml', '-m', 'Stage it'])
  expect(first).toMatchObject({ code: 0, out: 'Saved as v1 of staged\n' })
  expect(first.error).toContain('Staged fixtures\n')
  const same = await client.assay(['push', 'staged.yaml', '--json'])
  expect(JSON.parse(same.out)).toMatchObject({ created: false, message: 'Stage it' })
  await write('staged.yaml', twoByTwo('staged', `${files}description: changed\n`))
  const diff = await client.assay(['diff', 'staged.yaml'])
  expect([diff.code, diff.out]).toEqual([1, expect.stringContaining('+description: changed')])
  const second = await client.assay(['push', 'staged.yaml'])
  expect(second.out).toBe('Saved as v2 of staged\n')
  expect(second.error).toBe('Staged 0 files; 1 file of the package was there already\n')
  expect((await client.assay(['diff', 'staged.yaml'])).code).toBe(0)
})

test('check counts the task folders of a definition, push stages them, and says what is wrong in one', async () => {
  const task = {
    'task.toml': '[environment]\ndocker_image = "node:24"\n',
    'instruction.md': 'Answer.\n',
    'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
  }
  await write('bench.yaml', 'id: bench\nname: Bench\nagents: [{ id: a, command: ["true"] }]\ntasks: bench/*\n')
  const none = await client.assay(['check', 'bench.yaml'])
  expect([none.code, none.error]).toEqual([3, expect.stringContaining('has no such folder with a task.toml')])
  await writeFolder(join(client.folder, 'bench/one'), task)
  await writeFolder(join(client.folder, 'bench/two'), { ...task, 'instruction.md': '' })
  await writeFolder(join(client.folder, 'bench/shared'), { 'README.md': 'No task.' })
  expect((await client.assay(['check', 'bench.yaml'])).out).toBe(
    'bench.yaml is valid: bench, 2 task folders, 2 files to stage\n',
  )
  const refused = await client.assay(['push', 'bench.yaml'])
  expect(refused.code).not.toBe(0)
  expect(refused.error).toContain('bench/two: it has no instruction.md')
  await writeFolder(join(client.folder, 'bench/two'), task)
  const pushed = await client.assay(['push', 'bench.yaml'])
  expect([pushed.code, pushed.out]).toEqual([0, 'Saved as v1 of bench\n'])
  expect(pushed.error).toContain('Staged 0 files; 2 files of the package were there already')
})

test('a folder means the definition in it', async () => {
  await writeFolder(join(client.folder, 'own'), { 'experiment.yaml': twoByTwo('own-folder') })
  expect(await client.assay(['push', 'own'])).toMatchObject({ code: 0, out: 'Saved as v1 of own-folder\n' })
  await writeFolder(join(client.folder, 'bare'), { 'notes.md': '' })
  const { code, error } = await client.assay(['push', 'bare'])
  expect([code, error]).toEqual([3, 'There is no experiment.yaml in bare. Name the file, or run: assay init\n'])
})

test('push sends no file from outside the folder of the definition, also not through a link', async () => {
  await symlink('/etc/hostname', join(client.folder, 'link'))
  for (const source of ['/etc/hostname', '../secret', 'link']) {
    await write('outside.yaml', twoByTwo('outside', `files: [{ source: ${source}, dest: stolen }]`))
    const { code, error } = await client.assay(['push', 'outside.yaml'])
    expect([code, error]).toEqual([3, expect.stringMatching(/which is (outside its folder|not in)/)])
  }
})

test('submit says the price first, and a person at a terminal can refuse it', async () => {
  await client.assay(['push'])
  const refused = await client.assay(['submit'], { answers: ['n'] })
  expect(refused).toMatchObject({ code: 130, asked: ['Submit these runs? [y/N] '] })
  expect(refused.error).toMatch(/^4 runs, for which \$[\d.]+ of credit is held\nNothing was submitted\n$/)
  const { code, out, error } = await client.assay(['submit', '--agent', 'careful', '--mock', '--json'])
  expect([code, JSON.parse(out).runCount, error]).toEqual([0, 2, '2 runs, free of charge\n'])
})

test('Ctrl-C while watching asks whether to cancel: no leaves the runs alone, yes cancels them', async () => {
  const submit = ['submit', '--mock', '--watch', '--prompt', 'terse']
  const left = await client.assay(submit, { answers: ['n'] })
  expect([left.code, left.asked]).toEqual([130, ['Cancel the 2 runs that have not ended? [y/N] ']])
  const canceled = await client.assay(submit, { answers: ['y'] })
  expect([canceled.code, canceled.out]).toEqual([1, expect.stringContaining('2 runs: 2 canceled')])
})

test('results have the verdict of the product’s page, and compare its sentence', async () => {
  await write('verdict.yaml', twoByTwo('verdict'))
  await client.assay(['push', 'verdict.yaml'])
  await client.assay(['submit', 'verdict', '--repeat', '10', '--yes'])
  await endQueuedRuns(client.platform, ({ agent }) => agent === 'careful')
  const results = await client.assay(['results', 'verdict'])
  expect(results.code).toBe(0)
  expect(results.out).toContain('careful is best: it solves 100 % of its runs.')
  expect(results.out).toMatch(/RANK +GROUP +SOLVED +95 % CI +RUNS/)
  const { rows, verdict } = JSON.parse((await client.assay(['results', 'verdict', '--json'])).out)
  expect([verdict, rows[0].label, rows[0].solvedShare]).toEqual([
    'careful is best: it solves 100 % of its runs.',
    'careful',
    1,
  ])
  const compared = await client.assay(['compare', 'verdict', 'careful', 'hasty'])
  expect([compared.code, compared.out]).toEqual([
    0,
    expect.stringContaining('careful scores 100 points higher than hasty'),
  ])
  const unknown = await client.assay(['compare', 'verdict', 'careful', 'nobody'])
  expect([unknown.code, unknown.error]).toEqual([3, 'There is no group nobody. The groups are: careful, hasty\n'])
})

test('what a run printed cannot control the terminal, as text and as JSON', async () => {
  const [run] = JSON.parse((await client.assay(['runs', '--result', 'unsolved', '--limit', '1', '--json'])).out).runs
  const shown = await client.assay(['show', run.runId])
  expect(shown.out).toContain('expected 9 but got ␛]0;owned␇8')
  for (const words of [['show', run.runId], ['show', run.runId, '--json'], ['runs'], ['logs', run.runId]]) {
    const { out } = await client.assay(words)
    // oxlint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  }
})

test('sql prints a table, export a whole file, and open the address of a page', async () => {
  const sql = await client.assay([
    'sql',
    "SELECT agent, count() AS n FROM runs WHERE experiment_id = 'verdict' GROUP BY agent ORDER BY agent",
  ])
  expect(sql.out).toMatch(/^agent +n\ncareful +20\nhasty +20\n\(2 rows\)\n$/)
  const exported = await client.assay(['export', '--output', 'runs.csv', '--experiment', 'verdict'])
  expect(exported.code).toBe(0)
  expect((await readFile(join(client.folder, 'runs.csv'), 'utf8')).split('\n')[0]).toContain('run_id')
  const opened = await client.assay(['open', 'two-by-two'])
  expect(opened.opened).toEqual([`${client.url}/experiments/two-by-two`])
})

test('an unknown option or command ends with code 3 and says how to get help', async () => {
  const { code, error } = await client.assay(['runs', '--nope'])
  expect([code, error]).toEqual([3, "error: unknown option '--nope'\n(--help shows how to use it)\n"])
})
