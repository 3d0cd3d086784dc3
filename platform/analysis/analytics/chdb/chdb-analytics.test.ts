import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'

import { chdbAnalytics } from './chdb-analytics.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-chdb-'))
const analytics = chdbAnalytics({ folder })

afterAll(async () => {
  await analytics.close()
  rmSync(folder, { recursive: true, force: true })
})

const endless = 'SELECT max(sipHash64(number)) FROM numbers(1000000000000)'

const turn = (seq: number, text: string) => ({
  run_id: '00000000-0000-4000-8000-000000000001',
  id: 'a::1',
  experiment_id: 'e',
  test_aware: false,
  seq,
  role: 'user',
  kind: 'message',
  text,
})

const enginePids = (marker: string) => {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes('engine-main.ts') && line.includes(marker)).map((line) => parseInt(line))
}

const until = async (holds: () => boolean) => {
  for (let i = 0; i < 100 && !holds(); i++) await sleep(50)
  return holds()
}

test('the embedded engine binds parameters instead of inserting their text', async () => {
  const parameters = { text: `a'b\\c"\n\t{x}\\'; DROP`, list: ["it's", '', 'a\\b,]\n'], none: [], number: 3 }
  const [row] = await analytics.query(
    'bind',
    'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Array(String)} AS none, {number:Int64} AS number',
    { parameters },
  )
  expect(row).toEqual(parameters)
})

test("one organization's rows are in no other organization's engine", async () => {
  await analytics.insert('one', 'turns', [turn(1, 'mine')])
  expect(await analytics.query('two', 'SELECT * FROM turns')).toEqual([])
  const seen = await analytics.query('two', "SELECT name FROM system.tables WHERE total_rows > 0 AND name = 'turns'")
  expect(seen).toEqual([])
  expect(await analytics.query('one', 'SELECT text FROM turns')).toEqual([{ text: 'mine' }])
})

test('a runaway query is stopped at its deadline, and the platform and the next query work', async () => {
  await analytics.insert('runaway', 'turns', [turn(1, 'kept')])
  const runaway = analytics.query('runaway', endless, {
    deadlineSeconds: 1,
  })
  const next = analytics.query('runaway', 'SELECT text FROM turns')
  await expect(runaway).rejects.toMatchObject({ code: 'unavailable' })
  expect(await next).toEqual([{ text: 'kept' }])
})

test('a statement that ignores its time limit is killed with its engine', async () => {
  const blind = analytics.query('blind', `${endless} SETTINGS max_execution_time = 0`, {
    deadlineSeconds: 1,
  })
  await expect(blind).rejects.toMatchObject({ code: 'unavailable' })
  expect(await analytics.query('blind', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a query that takes too much memory fails without effect on other queries', async () => {
  const greedy = analytics.query('greedy', 'SELECT length(groupArray(number)) FROM numbers(100000000000)')
  await expect(greedy).rejects.toMatchObject({ code: 'unavailable' })
  expect(await analytics.query('greedy', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

const slow = 'SELECT toUInt32(count()) AS n FROM turns WHERE NOT sleepEachRow(1)'
const killEngine = () => {
  for (const pid of enginePids(join(folder, 'killed')))
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // An engine that ended after it was listed.
      expect(error).toMatchObject({ code: 'ESRCH' })
    }
}

test('a query whose engine is killed runs once more, over the same rows', async () => {
  await analytics.insert('killed', 'turns', [turn(1, 'kept')])
  const inFlight = analytics.query('killed', slow)
  const read = analytics.withReader('killed', (ask) => ask('SELECT toUInt32(1) WHERE NOT sleep(1)'))
  await sleep(200)
  killEngine()
  expect(await inFlight).toEqual([{ n: 1 }])
  expect((await read).rows).toEqual([[1]])
})

const answers = () => analytics.withReader('killed', (ask) => ask('SELECT 1'))

test('a query whose engine is killed twice fails with unavailable, and the next query starts a new engine', async () => {
  await analytics.insert('killed', 'turns', [turn(1, 'kept')])
  const failed = expect(analytics.query('killed', endless)).rejects.toMatchObject({ code: 'unavailable' })
  await answers()
  killEngine()
  // Answered by the next engine, which has by then also received the endless query.
  await answers()
  killEngine()
  await failed
  expect(await analytics.query('killed', 'SELECT text FROM turns FINAL')).toEqual([{ text: 'kept' }])
})

test('an idle engine stops, and starts again with the next query', async () => {
  const brief = chdbAnalytics({ folder: join(folder, 'brief'), idleSeconds: 0.2 })
  await brief.insert('idle', 'turns', [turn(1, 'kept')])
  expect(await until(() => enginePids(join(folder, 'brief')).length === 0)).toBe(true)
  expect(await brief.query('idle', 'SELECT text FROM turns')).toEqual([{ text: 'kept' }])
  await brief.close()
})

test('closing analytics also stops an engine that is still starting', async () => {
  for (const startedForMs of [0, 5, 20, 60, 150]) {
    const brief = chdbAnalytics({ folder: join(folder, 'closing') })
    const asked = brief.query(`closing-${startedForMs}`, 'SELECT 1').catch(() => {})
    await sleep(startedForMs)
    await brief.close()
    expect(enginePids(join(folder, 'closing'))).toEqual([])
    await asked
  }
})

test('an engine dies when its platform is killed', async () => {
  const script = `
    import { chdbAnalytics } from ${JSON.stringify(new URL('./chdb-analytics.ts', import.meta.url).href)}
    const analytics = chdbAnalytics({ folder: process.argv[1] })
    await analytics.query('orphan', 'SELECT 1')
    console.log('up')
    setInterval(() => {}, 1000)`
  const orphans = join(folder, 'orphans')
  const platform = spawn(process.execPath, ['--input-type=module', '-e', script, orphans])
  await once(platform.stdout, 'data')
  expect(enginePids(orphans)).not.toHaveLength(0)
  platform.kill('SIGKILL')
  expect(await until(() => enginePids(orphans).length === 0)).toBe(true)
})

test('a failed statement leaves no rows in the next answer', async () => {
  const failing = 'SELECT number, throwIf(number = 200000) FROM numbers(300000)'
  await expect(analytics.query('partial', failing)).rejects.toThrow('throwIf')
  expect(await analytics.query('partial', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await analytics.withReader('partial', async (read) => {
    await expect(read(failing)).rejects.toThrow('throwIf')
    expect((await read('SELECT 1 AS one')).rows).toEqual([[1]])
  })
})

test('charts and projections never wait for users’ queries', async () => {
  await analytics.query('shared', 'SELECT 1')
  const runaway = () => analytics.withReader('shared', (read) => read(endless, { deadlineSeconds: 4 }))
  let hasEnded = false
  const running = Promise.allSettled([runaway(), runaway()]).finally(() => (hasEnded = true))
  await analytics.insert('shared', 'turns', [turn(1, 'kept')])
  expect(await analytics.query('shared', 'SELECT text FROM turns')).toEqual([{ text: 'kept' }])
  expect(hasEnded).toBe(false)
  const exhausted = { status: 'rejected', reason: expect.objectContaining({ code: 'resource_exhausted' }) }
  expect(await running).toEqual([exhausted, exhausted])
})

test('many concurrent queries run and wait up to a limit, and the rest is refused at once', async () => {
  const storm = Array.from({ length: 20 }, () =>
    analytics
      .withReader('storm', (read) => read(endless, { deadlineSeconds: 0.5 }))
      .catch((error: Error) => error.message),
  )
  const refused = await Promise.all(storm.slice(10))
  expect(new Set(refused)).toEqual(new Set([expect.stringContaining('too many queries')]))
  const [, ...others] = new Set(await Promise.all(storm.slice(0, 10)))
  expect(others).toEqual([])
  expect(await analytics.withReader('storm', (read) => read('SELECT 1'))).toMatchObject({ rows: [[1]] })
})

test('a user’s statement in the embedded engine cannot write, change a setting or read a table by default', async () => {
  await analytics.insert('readonly', 'turns', [turn(1, 'kept')])
  const attempts = [
    'CREATE TABLE x (a Int8) ENGINE = Memory',
    'DROP TABLE session_data_v1.turns',
    "INSERT INTO session_data_v1.turns (text) VALUES ('x')",
    'SET max_threads = 8',
    'SELECT 1 SETTINGS max_execution_time = 100',
    'SELECT * FROM turns',
  ]
  for (const sql of attempts)
    await expect(analytics.withReader('readonly', (read) => read(sql))).rejects.toThrow('DB::Exception')
  expect(await analytics.query('readonly', 'SELECT text FROM turns')).toEqual([{ text: 'kept' }])
})
