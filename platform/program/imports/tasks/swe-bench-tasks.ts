import { readFile } from 'node:fs/promises'

import { load } from 'js-yaml'

import { toDistinctId } from '#platform/ground/ids/axis-id.ts'
import { field, has, toList, toName } from '#platform/program/import-formats/reading/fields.ts'
import { UnusableTask } from '#platform/inputs/tasks/benchmark-task.ts'
import { harborFolder, type TaskFolder } from './task-folder.ts'

/** SWE-bench limits tests to half an hour, and leaves the agent's time to its user. */
const seconds = { agent: 3600, tests: 1800 }

/** Where the images of SWE-bench have the repository. */
const repository = '/testbed'

type Instance = {
  id: string
  repo: string
  baseCommit: string
  statement: string
  patch: string | null
  testPatch: string
  failToPass: string[]
  passToPass: string[]
}

/**
 * A task of SWE-bench or of a set with its fields: its image, the tests that have to pass, and the patch that solves it.
 * Null for any other record. Throws `UnusableTask` with the reason for one that cannot be tested.
 */
export async function fromSweBench(record: Record<string, unknown>): Promise<TaskFolder | null> {
  if (!has(record, 'instance_id', 'problem_statement') || !(has(record, 'FAIL_TO_PASS') || has(record, 'fail_to_pass')))
    return null
  const instance = toInstance(record)
  const run = testRunOf(record, instance)
  const judge = await readFile(new URL('swe-bench-judge.py', import.meta.url), 'utf8')
  const { failToPass: FAIL_TO_PASS, passToPass: PASS_TO_PASS } = instance
  return {
    id: toDistinctId(instance.id),
    files: harborFolder({
      instruction: instructionOf(instance),
      image: imageOf(record, instance),
      network: true,
      agentSeconds: seconds.agent,
      testSeconds: seconds.tests,
      difficulty: toName(field(record, 'difficulty')),
      tags: [instance.repo],
      tests: {
        'test.sh': testScript,
        'run.sh': run.script,
        'test.patch': instance.testPatch,
        'base.txt': `${instance.baseCommit}\n`,
        'files.txt': filesOf(instance.testPatch)
          .map((file) => `${file}\n`)
          .join(''),
        'tests.json': JSON.stringify({ parser: run.parser, FAIL_TO_PASS, PASS_TO_PASS }),
        'judge.py': judge,
      },
      solution: instance.patch === null ? null : { 'fix.patch': instance.patch, 'solve.sh': solveScript },
    }),
  }
}

function toInstance(record: Record<string, unknown>): Instance {
  const text = (...names: readonly string[]) => names.map((name) => toName(field(record, name))).find(Boolean) ?? null
  const [id, repo, statement] = [text('instance_id'), text('repo'), text('problem_statement')]
  const [baseCommit, testPatch] = [text('base_commit'), text('test_patch')]
  if (!id || !repo || !statement) throw new UnusableTask('it has no instance_id, repo or problem_statement')
  if (!baseCommit || !/^[0-9a-f]{7,64}$/i.test(baseCommit)) throw new UnusableTask('it has no base_commit')
  if (!testPatch) throw new UnusableTask('it has no test_patch')
  const failToPass = namesIn(field(record, 'FAIL_TO_PASS') ?? field(record, 'fail_to_pass'))
  const passToPass = namesIn(field(record, 'PASS_TO_PASS') ?? field(record, 'pass_to_pass'))
  if (failToPass.length === 0) throw new UnusableTask('its FAIL_TO_PASS names no test')
  return { id, repo, baseCommit, statement, patch: text('patch'), testPatch, failToPass, passToPass }
}

/** The lists of SWE-bench are texts of JSON. Those of other sets are lists, or texts of Python, which YAML reads, too. */
function namesIn(value: unknown): string[] {
  const list = typeof value === 'string' ? parseList(value) : toList(value)
  return list.filter((name): name is string => typeof name === 'string' && name !== '')
}

function parseList(text: string): readonly unknown[] {
  for (const parse of [JSON.parse, load])
    try {
      return toList(parse(text))
    } catch {
      // Another notation, or none.
    }
  return []
}

const instructionOf = ({ repo, statement }: Instance) =>
  `The working copy of ${repo} is in the folder \`${repository}\`. Change its files so that this issue is resolved. Tests that you do not see check it afterwards.\n\n${statement.trim()}\n`

/** The image that a set names, or the one that SWE-bench publishes for the task. */
function imageOf(record: Record<string, unknown>, { id }: Instance) {
  const named = ['docker_image', 'image_name', 'image'].map((name) => toName(field(record, name))).find(Boolean)
  return named ?? `swebench/sweb.eval.x86_64.${id.toLowerCase().replaceAll('__', '_1776_')}:latest`
}

type TestRun = { script: string; parser: 'pytest' | 'django' | 'sympy' }

const onFiles = (command: string) => `${command} "\${tests[@]}"\n`

/** Django names the tests in tests/a/b.py a.b. */
const djangoTests = `labels=()
for file in "\${tests[@]}"; do
  case $file in
  tests/*.py)
    file=\${file#tests/}
    file=\${file%.py}
    labels+=("\${file//\\//.}")
    ;;
  esac
done
./tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 "\${labels[@]}"
`

/** How the tests of a repository are started, where it is not with pytest. `tests` has the files of tests. */
const runners: Record<string, TestRun> = {
  'django/django': { parser: 'django', script: djangoTests },
  'sympy/sympy': {
    parser: 'sympy',
    script: `PYTHONWARNINGS='ignore::UserWarning,ignore::SyntaxWarning' ${onFiles('bin/test -C --verbose')}`,
  },
  'sphinx-doc/sphinx': { parser: 'pytest', script: onFiles('tox --current-env -epy39 -v --') },
  'mwaskom/seaborn': { parser: 'pytest', script: onFiles('pytest --no-header -rA') },
}

/** A script of its own, or a command that the names of the files follow, or what SWE-bench does for the repository. */
function testRunOf(record: Record<string, unknown>, { repo }: Instance): TestRun {
  const known = runners[repo] ?? { parser: 'pytest', script: onFiles('pytest -rA') }
  const script = toName(field(record, 'eval_script'))
  if (script) return { ...known, script }
  const commands = [field(record, 'install_config', 'test_cmd'), field(record, 'test_cmd')]
  const command = commands
    .flatMap((value) => (Array.isArray(value) ? value.map(toName) : [toName(value)]))
    .find(Boolean)
  return command ? { ...known, script: onFiles(command) } : known
}

const testFile = /\.(py|js|ts|jsx|tsx|go|rs|java|rb|php|c|cc|cpp)$/

/** The files of tests that a patch changes or adds, in the repository. */
function filesOf(patch: string) {
  const files = [...patch.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path.trim())
  return [...new Set(files)].filter((path) => testFile.test(path) && !/["\\]|(^|\/)\.\.(\/|$)/.test(path))
}

/** The tests of the task replace what an agent did to their files. */
const testScript = `here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p /logs/verifier
cd ${repository} || exit 1
for place in /opt/miniconda3 /opt/conda; do
  [ ! -f "$place/bin/activate" ] || . "$place/bin/activate" testbed || true
done
git config --global --add safe.directory ${repository}
base=$(cat "$here/base.txt")
while IFS= read -r file; do
  git checkout -q "$base" -- "$file" 2>/dev/null || rm -f -- "$file"
done < "$here/files.txt"
if ! git apply --whitespace=nowarn "$here/test.patch"; then
  echo 'The patch of the tests does not apply' >&2
  exit 1
fi
output=/logs/verifier/tests.txt
(
  mapfile -t tests < "$here/files.txt"
  . "$here/run.sh"
) > "$output" 2>&1
cat "$output"
python=$(command -v python3 || command -v python)
if [ -z "$python" ]; then
  echo 'The image has no Python, which reads the results' >&2
  exit 1
fi
"$python" "$here/judge.py" "$here/tests.json" "$output" /logs/verifier
`

const solveScript = `cd ${repository} && git apply --whitespace=nowarn "$(dirname "$0")/fix.patch"\n`
