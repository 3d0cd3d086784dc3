import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openImages } from '#platform/engine/images/open-images.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { packTar } from '#platform/ground/files/pack-tar.ts'
import { stageBlob } from '#platform/inputs/experiments/stage-blob.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { openTestRegistry, whyNoTestImages } from '#platform/program/testing/test-registry.ts'
import { listTestCaptures, untilEnded } from '#platform/program/testing/test-run-engine.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'

const sandbox = await detectSandbox()
const skip = whyNoTestImages ?? (sandbox.roots ? null : 'no sandbox for images')

let registry: Awaited<ReturnType<typeof openTestRegistry>>
let platform: TestPlatform
let folder: string
let engine: ReturnType<typeof startRunEngine>
beforeAll(async () => {
  if (skip) return
  registry = await openTestRegistry()
  await registry.push({ name: 'task:1', config: { WorkingDir: '/app' }, files: { '/app/given.txt': 'given\n' } })
  platform = await openTestPlatform()
  folder = await mkdtemp(join(tmpdir(), 'assay-tasks-'))
  const settings = { folder: join(folder, 'images'), limitMb: 0, insecureRegistries: [registry.address] }
  engine = startRunEngine(platform.services, {
    sandbox,
    workFolder: join(folder, 'work'),
    images: openImages({ sandbox, blobs: platform.services.blobs, settings }),
  })
})
afterAll(async () => {
  await engine?.stop()
  await platform?.close()
  await registry?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Imports a task, runs it with the oracle and with an agent that does nothing, and returns their tests. */
async function runTask(name: string, files: Record<string, string>, image?: string) {
  const place = join(folder, name)
  await writeFolder(place, files)
  const input = { paths: [place], org: platform.organization.slug, experiment: name }
  await runCommand(platform.services, 'import-tasks', { ...input, image, nothing: true }, () => {})
  return resultsOf(name)
}

/** Runs an experiment and returns the results of each agent. */
async function resultsOf(name: string) {
  const { json } = await platform.request('POST', `/experiments/${name}/runs`)
  engine.wake()
  const runs = await untilEnded(platform.services.db, json.runRequestId)
  const tests = runs.map(async (run) => {
    const captures = await listTestCaptures(platform.services.db, run.id)
    const changes = (await platform.request('GET', `/runs/${encodeURIComponent(run.compositeId)}/changes`)).json
    const changed: string[] = changes.files.map(({ path }: { path: string }) => path)
    return [run.agent, { captures, changed, scores: run.scores }] as const
  })
  return Object.fromEntries(await Promise.all(tests))
}

/** The image in the registry. */
const pushed = () => `${registry.address}/task:1`

type Result = Awaited<ReturnType<typeof runTask>>[string]

const outcomesOf = (result: Result | undefined) => result?.captures.map(({ name, outcome }) => `${name}: ${outcome}`)

const summary = (outcome: string) => `echo '= short test summary info ='
echo '${outcome} tests/test_outputs.py::test_answer[a#b]${outcome === 'FAILED' ? ' - AssertionError: no' : ''}'
echo 'PASSED tests/test_outputs.py::test_given'
echo 'SKIPPED [1] tests/test_outputs.py:9: not here'`

describe.skipIf(skip !== null)(`imported tasks in runs (${skip ?? 'available'})`, () => {
  test('a Terminal-Bench task is solved by its oracle and failed by an agent that does nothing', async () => {
    const { oracle, nothing } = await runTask(
      'terminal-task',
      {
        'task.yaml': 'instruction: Answer.\n',
        'run-tests.sh': `echo from tests; echo ...; echo after dots; [ "$PWD" = /app ] || exit 1
if grep -q right answer.txt && [ ! -e .assay-tests ] && [ -f $TEST_DIR/data.txt ]; then
${summary('PASSED')}
else
${summary('FAILED')}
fi`,
        'tests/data.txt': '',
        'solution.sh': '[ ! -e .assay-solution ] && grep -q given given.txt && echo right > answer.txt',
      },
      pushed(),
    )
    expect(outcomesOf(oracle)).toEqual([
      'terminal-task/test_answer[a#b]: passed',
      'terminal-task/test_given: passed',
      'terminal-task/test_outputs.py:9: not here: skipped',
    ])
    expect(outcomesOf(nothing)).toEqual([
      'terminal-task/test_answer[a#b]: failed',
      'terminal-task/test_given: passed',
      'terminal-task/test_outputs.py:9: not here: skipped',
    ])
    expect([oracle?.changed, nothing?.changed]).toEqual([['answer.txt'], []])
    expect(nothing?.captures[0]?.stderrTail).toMatch(/^AssertionError: no\n\nfrom tests\n\.\.\. ?\nafter dots\n/)
  })

  test('every summary of pytest counts, in colors too, and an exit code that no failure explains is an error', async () => {
    const printed = [
      '= short test summary info =',
      '\\033[31mFAILED\\033[0m tests/test_a.py::\\033[1mtest_first[a - b c]\\033[0m - AssertionError: 1 - 2',
      'PASSED is a line of the reason',
      '= \\033[31m1 failed\\033[0m in 0.12s =',
      '___ TestC.test_sixth[a] - b] ___',
      '= short test summary info =',
      'PASSED tests/test_b.py::test_second',
      'XPASS tests/test_b.py::test_third - odd',
      'SKIPPED tests/test_b.py::test_fourth - Skipped: no network - today',
      'SUBFAILED[a - b] (i=1) tests/test_b.py::TestC::test_fifth - assert 1 == 2',
      'FAILED tests/test_b.py::TestC::test_sixth[a] - b] - assert [1] - 2 == 3',
      'FAILED tests/test_b.py::test_seventh[] - [x] - KeyError: [1] - 2',
      'FAILED tests/test_b.py::test_eighth[a] - assert [1] - 2 == 3',
      '= 4 failed, 1 passed, 1 skipped, 1 xpassed in 0.12s =',
    ]
    const files = { 'task.yaml': 'instruction: Answer.\n', 'solution.sh': 'touch right' }
    const lines = printed.map((line) => `printf '%b\\n' '${line}'`).join('\n')
    const passes = `printf '= short test summary info =\\nPASSED tests/test_b.py::test_second\\n'`
    const script = `if [ -e right ]; then ${passes}; exit 1; else\n${lines}\nexit 1; fi`
    const { oracle, nothing } = await runTask('two-calls', { ...files, 'run-tests.sh': script }, pushed())
    expect(outcomesOf(nothing)).toEqual([
      'two-calls/test_first[a - b c]: failed',
      'two-calls/test_second: passed',
      'two-calls/test_third: failed',
      'two-calls/test_fourth: skipped',
      'two-calls/TestC::test_fifth [a - b] (i=1): failed',
      'two-calls/TestC::test_sixth[a] - b]: failed',
      'two-calls/test_seventh[] - [x]: failed',
      'two-calls/test_eighth[a]: failed',
    ])
    expect(nothing?.captures[0]?.stderrTail).toMatch(/^AssertionError: 1 - 2\n/)
    expect(outcomesOf(oracle)).toEqual(['two-calls/test_second: passed', 'two-calls: errored'])
    expect(oracle?.captures[1]).toMatchObject({ exitCode: 1 })
    expect(oracle?.captures[1]?.stderrTail).toMatch(/^The command ended with code 1, though no case failed\n/)
  })

  test('a Harbor task has its reward as a score, and the cases that explain it', async () => {
    const { oracle, nothing } = await runTask(
      'harbor-task',
      {
        'task.toml': '[verifier.env]\nMODE = "it\'s strict"\n[solution.env]\nWORD = "right"\n',
        'instruction.md': 'Answer.\n',
        'tests/test.sh': `[ "$MODE" = "it's strict" ] || exit 1
if grep -q right answer.txt; then echo 1.0 > /logs/verifier/reward.txt; ${summary('PASSED')}
else echo '{"reward": 0.25}' > /logs/verifier/reward.json; ${summary('FAILED')}
fi`,
        'solution/solve.sh': 'cat "$(dirname "$0")/word.txt" > answer.txt; echo "$WORD" >> answer.txt',
        'solution/word.txt': 'the answer is\n',
      },
      pushed(),
    )
    const cases = (outcome: string) => [
      `harbor-task/test_answer[a#b]: ${outcome}`,
      'harbor-task/test_given: passed',
      'harbor-task/test_outputs.py:9: not here: skipped',
    ]
    expect(outcomesOf(oracle)).toEqual([...cases('passed'), 'harbor-task/reward: passed'])
    expect(outcomesOf(nothing)).toEqual([...cases('failed'), 'harbor-task/reward: failed'])
    expect([oracle?.scores, nothing?.scores]).toEqual([
      [{ name: 'reward', value: 1, threshold: 1 }],
      [{ name: 'reward', value: 0.25, threshold: 1 }],
    ])
    expect(nothing?.captures.at(-1)?.stderrTail).toMatch(/^0\.25 is below 1/)
  })

  test('a Harbor task with several rewards gives scores, and keeps the cases of its CTRF file', async () => {
    const { oracle, nothing } = await runTask(
      'scored-task',
      {
        'task.toml': '',
        'instruction.md': 'Write the word.\n',
        'tests/test.sh': `if grep -q word answer.txt; then
echo '{"correctness": 1, "performance": 0.75}' > /logs/verifier/reward.json; status=passed
else
echo '{"correctness": 0, "performance": 0}' > /logs/verifier/reward.json; status=failed
fi
echo "{\\"results\\": {\\"summary\\": {\\"tests\\": 1, \\"$status\\": 1}, \\"tests\\": [{\\"name\\": \\"it is there\\", \\"status\\": \\"$status\\", \\"duration\\": 1}]}}" > /logs/verifier/ctrf.json
${summary('FAILED')}`,
        'solution/solve.sh': 'echo word > answer.txt',
      },
      pushed(),
    )
    expect(outcomesOf(oracle)).toEqual([
      'scored-task/it is there: passed',
      'scored-task/correctness: passed',
      'scored-task/performance: failed',
    ])
    expect(outcomesOf(nothing)).toEqual([
      'scored-task/it is there: failed',
      'scored-task/correctness: failed',
      'scored-task/performance: failed',
    ])
    const valuesOf = (result: Result | undefined) => result?.scores.map(({ name, value }) => [name, value])
    expect(valuesOf(oracle)).toEqual([
      ['correctness', 1],
      ['performance', 0.75],
    ])
    expect(valuesOf(nothing)).toEqual([
      ['correctness', 0],
      ['performance', 0],
    ])
  })

  test('the steps of a Harbor task run one after the other, with the tests of the task and their own', async () => {
    const { oracle, nothing } = await runTask(
      'stepped-task',
      {
        'task.toml': `[verifier.env]
WORD = "shared"
[[steps]]
name = "scaffold"
min_reward = 1.0
[[steps]]
name = "extend"
[steps.verifier.env]
WORD = "own"
[steps.healthcheck]
command = "test -e greeting.txt"
retries = 1
`,
        'tests/helpers.sh': 'reward() { echo "$1" > /logs/verifier/reward.txt; exit 0; }\n',
        'steps/scaffold/instruction.md': 'Greet.\n',
        'steps/scaffold/tests/test.sh':
          '. /tests/helpers.sh; [ "$WORD" = shared ] && grep -qx hello greeting.txt && reward 1; reward 0',
        'steps/scaffold/solution/solve.sh': 'echo hello > greeting.txt',
        'steps/extend/instruction.md': 'Greet by name.\n',
        'steps/extend/workdir/config.txt': 'Ada\n',
        'steps/extend/workdir/setup.sh': 'touch prepared; rm -- "$0"',
        // The agent of a step finds neither the tests nor the verdict of the step before.
        'steps/extend/solution/solve.sh':
          '[ -e prepared ] && [ ! -e setup.sh ] && [ ! -e /tests ] && [ -d /logs/verifier ] && [ ! -e /logs/verifier/reward.txt ] && [ ! -e .assay-tests ] && echo "hello $(cat config.txt)" > greeting.txt',
        'steps/extend/tests/test.sh':
          '. /tests/helpers.sh; [ "$WORD" = own ] && grep -qx "hello Ada" greeting.txt && reward 0.5; reward 0',
      },
      pushed(),
    )
    expect(outcomesOf(oracle)).toEqual(['scaffold/stepped-task/reward: passed', 'extend/stepped-task/reward: failed'])
    const valuesOf = (result: Result | undefined) => result?.scores.map(({ name, value }) => [name, value])
    expect(valuesOf(oracle)).toEqual([
      ['reward', 0.75],
      ['scaffold.reward', 1],
      ['extend.reward', 0.5],
    ])
    expect(outcomesOf(nothing)).toEqual(['scaffold/stepped-task/reward: failed', 'extend/stepped-task: unresolved'])
    expect(valuesOf(nothing)).toEqual([
      ['reward', 0],
      ['scaffold.reward', 0],
    ])
    expect(oracle?.changed).toEqual(['config.txt', 'greeting.txt', 'prepared'])
  })

  test('a task without an image runs in the image that its Dockerfile makes', async () => {
    const { oracle, nothing } = await runTask('built-task', {
      'task.toml': '',
      'instruction.md': 'Answer.\n',
      'environment/Dockerfile': `FROM ${registry.address}/task:1\nCOPY words /words\nRUN cat /words/one.txt > /made.txt\n`,
      'environment/words/one.txt': 'made\n',
      'tests/test.sh':
        'grep -q made made.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt',
      'solution/solve.sh': 'cp /made.txt made.txt',
    })
    expect(outcomesOf(oracle)).toEqual(['built-task/reward: passed'])
    expect(outcomesOf(nothing)).toEqual(['built-task/reward: failed'])
  })

  test('the program of the container runs beside the agent, in the working directory of the task', async () => {
    const { oracle, nothing } = await runTask('started-task', {
      'task.toml':
        '[environment]\nworkdir = "/custom"\nskills_dir = "/skills"\n[environment.healthcheck]\ncommand = "test -e /custom/started"\n',
      'instruction.md': 'Answer.\n',
      'environment/Dockerfile': `FROM ${registry.address}/task:1\nCOPY start.sh /start.sh\nCOPY skills /skills\nENTRYPOINT ["bash", "/start.sh"]\n`,
      'environment/skills/greet/SKILL.md': 'Greet.\n',
      'environment/start.sh':
        '(until [ -e /custom/ask ]; do :; done; echo yes > /custom/answer) &\npwd > started\nexec "$@"\n',
      'tests/test.sh':
        '[ "$(cat /custom/started)" = /custom ] && grep -q yes answer && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt',
      'solution/solve.sh':
        '[ -e ~/.claude/skills/greet/SKILL.md ] && echo done > /logs/agent/out && touch ask; until [ -s answer ]; do :; done',
    })
    expect(outcomesOf(oracle)).toEqual(['started-task/reward: passed'])
    expect(outcomesOf(nothing)).toEqual(['started-task/reward: failed'])
  })

  test('a task folder of a package is built, run and tested as an imported task is', async () => {
    const place = join(folder, 'as-folder')
    await writeFolder(place, {
      'task.toml': '[solution.env]\nWORD = "right"\n',
      'instruction.md': `Answer.\n${'Think first. '.repeat(50)}`,
      'environment/Dockerfile': `FROM ${registry.address}/task:1\nCOPY words /words\nRUN cat /words/one.txt > /made.txt\n`,
      'environment/words/one.txt': 'made\n',
      'tests/test.sh':
        'grep -q right made.txt && grep -q made made.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt',
      'solution/solve.sh': 'cp /made.txt made.txt; echo "$WORD" >> made.txt',
    })
    const { db, blobs } = platform.services
    const staged = await stageBlob({ db, blobs }, platform.organization.id, await packTar(place))
    const agents = [
      { id: 'oracle', command: ['sh', '/assay-solution/oracle.sh'] },
      { id: 'nothing', command: ['sh', '-c', 'cat > prompt.txt'] },
    ]
    const definition = { id: 'as-folder', name: 'Folder', agents, tasks: ['bench/as-folder'] }
    const source = { source: 'bench/as-folder', dest: 'bench/as-folder' }
    const body = {
      experimentYaml: JSON.stringify(definition),
      replaceVersionFiles: true,
      versionFiles: [{ ...source, ...staged }],
    }
    expect((await platform.request('POST', '/experiments', { body })).status).toBe(200)
    const { oracle, nothing } = await resultsOf('as-folder')
    expect(outcomesOf(oracle)).toEqual(['as-folder/reward: passed'])
    expect(outcomesOf(nothing)).toEqual(['as-folder/reward: failed'])
    expect([oracle?.changed, nothing?.changed]).toEqual([['made.txt'], ['prompt.txt']])
    const { runs } = (await platform.request('GET', '/runs?experiment_id=as-folder')).json
    const shown = await platform.request('GET', `/runs/${encodeURIComponent(runs[0].id)}`)
    expect(shown.json.run.promptText).toContain('Think first. Think first.')
  })

  test('tests without a verdict are errored, not failed', async () => {
    const { oracle } = await runTask(
      'silent-task',
      {
        'task.toml': '',
        'instruction.md': 'Answer.\n',
        'tests/test.sh': 'echo nothing to say',
        'solution/solve.sh': 'true',
      },
      pushed(),
    )
    expect(outcomesOf(oracle)).toEqual(['silent-task: errored'])
    expect(oracle?.captures[0]?.stderrTail).toContain('the command wrote no .assay-tests/reward')
  })
})
