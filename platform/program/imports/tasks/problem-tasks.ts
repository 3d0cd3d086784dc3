import { toDistinctId } from '#platform/ground/ids/axis-id.ts'
import { field, toList, toName } from '#platform/program/import-formats/reading/fields.ts'
import { UnusableTask } from '#platform/inputs/tasks/benchmark-task.ts'
import { fenced, harborFolder, type TaskFolder } from './task-folder.ts'

/** `--image` names another one, which needs Python and bash. */
const image = 'python:3.13'

/** A problem whose solution is one Python file. */
type Problem = { id: string; instruction: string; solution: string | null; tests: string }

/** Translations of HumanEval name their language. */
const otherLanguage = /^(c|cpp|c\+\+|c#|cs|go|java|javascript|js|kotlin|php|ruby|rust|scala|swift|typescript|ts)\//i

/**
 * A problem of HumanEval: `prompt` is the start of the solution, `test` defines check(candidate), and `entry_point` names the
 * candidate. Null for any other record.
 */
export function fromHumanEval(record: Record<string, unknown>): TaskFolder | null {
  const [id, prompt, test, entry] = ['task_id', 'prompt', 'test', 'entry_point'].map((name) =>
    toName(field(record, name)),
  )
  if (!id || !prompt || !test || !entry) return null
  const [, language] = otherLanguage.exec(id) ?? []
  if (language) throw new UnusableTask(`it is a problem in ${language}, and only those in Python can be tested`)
  if (!/^[A-Za-z_]\w*$/.test(entry)) throw new UnusableTask('its entry_point is no name of a function')
  const solution = toName(field(record, 'canonical_solution'))
  return toFolder({
    id: toDistinctId(id),
    instruction: `Write the Python file \`solution.py\` in the working directory. It has this code, completed:\n\n${fenced('python', prompt)}`,
    solution: solution && prompt + solution,
    tests: `${test}\n\ncheck(${entry})\n`,
  })
}

/**
 * A problem of MBPP: `text` asks for a function, or `prompt` in the sanitized set, and `test_list` has assertions that show its
 * name. Null for any other record.
 */
export function fromMbpp(record: Record<string, unknown>): TaskFolder | null {
  const id = toName(field(record, 'task_id'))
  const text = toName(field(record, 'text')) ?? toName(field(record, 'prompt'))
  const tests = toList(field(record, 'test_list')).map(toName)
  if (!id || !text || tests.length === 0 || tests.includes(null)) return null
  const setup = [toName(field(record, 'test_setup_code')), ...toList(field(record, 'test_imports')).map(toName)]
  const asserted = tests.join('\n')
  return toFolder({
    id: toDistinctId(/^\d+$/.test(id) ? `mbpp-${id}` : id),
    instruction: `${text}\n\nWrite it into the Python file \`solution.py\` in the working directory. It must pass these tests:\n\n${fenced('python', asserted)}`,
    solution: toName(field(record, 'code')),
    tests: `${[...setup.filter(Boolean), asserted].join('\n')}\n`,
  })
}

const toFolder = ({ id, instruction, solution, tests }: Problem): TaskFolder => ({
  id,
  files: harborFolder({
    instruction,
    image,
    network: false,
    agentSeconds: 600,
    testSeconds: 120,
    tests: { 'test.sh': testScript, 'check.py': checkProgram, 'tests.py': tests },
    solution: solution === null ? null : { 'solution.py': solution, 'solve.sh': copySolution },
  }),
})

const copySolution = 'cp "$(dirname "$0")/solution.py" .\n'

/** A solution that ends the process before its tests have run has not passed them. */
const testScript = `here=$(cd "$(dirname "$0")" && pwd) || exit 1
checked=$(mktemp) || exit 1
reward=0
python3 "$here/check.py" "$checked" && [ "$(cat "$checked")" = checked ] && reward=1
mkdir -p /logs/verifier && echo "$reward" > /logs/verifier/reward.txt
[ "$reward" = 1 ]
`

/** The tests see every name of the solution, as if they were in its file. */
const checkProgram = `import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.getcwd())
import solution

place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests.py")
with open(place, encoding="utf-8") as file:
    code = compile(file.read(), place, "exec")
exec(code, dict(vars(solution)))
with open(sys.argv[1], "w") as file:
    file.write("checked")
`
