import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

import { z } from 'zod'

import { toAxisId, toDistinctId } from '#platform/ground/ids/axis-id.ts'
import { UnusableTask } from '#platform/inputs/tasks/benchmark-task.ts'
import { isFile, readTaskFile } from '#platform/inputs/tasks/read-task-file.ts'
import { below, harborFolder, type TaskFolder } from './task-folder.ts'

/** The file that makes a folder an exercise. */
export const exerciseFile = '.meta/config.json'

/** Which files are the solution, its tests and an example of it, as Exercism's tracks say. */
const Config = z.object({
  files: z.object({
    solution: z.array(z.string()).min(1),
    test: z.array(z.string()).min(1),
    example: z.array(z.string()).default([]),
    exemplar: z.array(z.string()).default([]),
  }),
})

type Language = { name: string; image: string; prepare: string; test: string; network: boolean }

const testsBelow = (pattern: string, change: string) =>
  `find . -type f -name '${pattern}' -not -path './node_modules/*' -exec sed -i -E '${change}' {} +\n`

/** How the tracks that Aider's polyglot benchmark uses are built and tested. Tests that a track skips at first run, too. */
const languages: Record<string, Language> = {
  '.py': {
    name: 'python',
    image: 'python:3.13',
    prepare: 'RUN pip install --no-cache-dir pytest\n',
    test: 'python3 -m pytest -rA',
    network: false,
  },
  '.go': { name: 'go', image: 'golang:1.24', prepare: '', test: 'go test ./...', network: false },
  '.rs': { name: 'rust', image: 'rust:1', prepare: '', test: 'cargo test -- --include-ignored', network: true },
  '.js': {
    name: 'javascript',
    image: 'node:22',
    prepare: 'RUN npm install --no-audit --no-fund\n',
    test: `${testsBelow('*.spec.js', 's/\\bx(test|it|describe)\\(/\\1(/g; s/\\b(test|it|describe)\\.skip\\(/\\1(/g')}npm test`,
    network: false,
  },
  '.cpp': {
    name: 'cpp',
    image: 'gcc:14',
    prepare: 'RUN apt-get update && apt-get install -y --no-install-recommends cmake && rm -rf /var/lib/apt/lists/*\n',
    test: 'cmake -DEXERCISM_RUN_ALL_TESTS=1 -S . -B /tmp/build && cmake --build /tmp/build',
    network: false,
  },
  '.java': {
    name: 'java',
    image: 'gradle:8-jdk21',
    prepare: '',
    test: `${testsBelow('*Test.java', 's/@(Disabled|Ignore)(\\("[^"]*"\\))?//')}gradle --no-daemon test`,
    network: true,
  },
}

const seconds = { agent: 1800, tests: 180 }
const limits = { files: 300, bytes: 8 * 1024 * 1024, depth: 8 }

/** What no agent sees: solutions of others, and what Exercism tells its students. */
const hidden = new Set(['.meta', '.docs', '.approaches', '.articles', '.git', 'node_modules'])

/** Reads a folder of Exercism's tracks, as Aider's polyglot benchmark has them. Throws `UnusableTask` with the reason. */
export async function fromExercise(folder: string): Promise<TaskFolder> {
  const { solution, test, example, exemplar } = await readConfig(folder)
  const language = languages[extname(solution.find((path) => languages[extname(path)]) ?? '')]
  if (!language) throw new UnusableTask(`its solution ${solution.join(', ')} is in no language that an import can test`)
  const files = await readFiles(folder)
  const instruction = await readInstruction(folder, solution)
  const tests = pick(files, new Set(test))
  if (Object.keys(tests).length === 0) throw new UnusableTask('its tests are missing')
  const given = Object.entries(files).filter(([path]) => !Object.hasOwn(tests, path))
  return {
    id: toDistinctId(`${language.name}-${basename(folder)}`),
    files: harborFolder({
      instruction,
      environment: {
        // CMake finds the files of an exercise by the name of their folder.
        Dockerfile: `FROM ${language.image}\nWORKDIR /app/${toAxisId(basename(folder))}\nCOPY given/ .\n${language.prepare}`,
        ...below('given', Object.fromEntries(given)),
      },
      network: language.network,
      agentSeconds: seconds.agent,
      testSeconds: seconds.tests,
      tags: [language.name],
      tests: { 'test.sh': testScript(language.test), ...below('files', tests) },
      solution: await readSolution(folder, solution, [...example, ...exemplar]),
    }),
  }
}

async function readConfig(folder: string) {
  const text = await readTaskFile(join(folder, exerciseFile))
  try {
    return Config.parse(JSON.parse(text ?? '')).files
  } catch {
    throw new UnusableTask(`${exerciseFile} does not name its solution and its tests`)
  }
}

async function readInstruction(folder: string, solution: readonly string[]) {
  const names = ['introduction.md', 'instructions.md', 'instructions.append.md']
  const parts = await Promise.all(names.map((name) => readTaskFile(join(folder, '.docs', name))))
  const text = parts.flatMap((part) => part?.trim() || []).join('\n\n')
  if (text === '') throw new UnusableTask('it has no .docs/instructions.md')
  const named = solution.map((path) => `\`${path}\``).join(', ')
  return `${text}\n\nThe working directory has a start of the solution. Write it into ${named}. Tests that you do not see check it afterwards.\n`
}

/** The texts of the files that an agent may see, by their path. Links and binaries, such as Gradle's own program, are left out. */
async function readFiles(folder: string) {
  const files: Record<string, string> = {}
  let bytes = 0
  const walk = async (inside: string, depth: number) => {
    const entries = await readdir(join(folder, inside), { withFileTypes: true })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory() && depth < limits.depth && !hidden.has(entry.name)) await walk(path, depth + 1)
      if (!entry.isFile()) continue
      const text = await readTaskFile(join(folder, path)).catch(() => null)
      if (text === null) continue
      bytes += text.length
      if (Object.keys(files).length >= limits.files || bytes > limits.bytes)
        throw new UnusableTask('it has more files than an exercise has')
      files[path] = text
    }
  }
  await walk('', 0)
  return files
}

/** Each example takes the place of the file of the solution that has its name, or else its ending. */
async function readSolution(folder: string, solution: readonly string[], examples: readonly string[]) {
  const files: Record<string, string> = {}
  const free = new Set(solution)
  for (const example of examples) {
    const target =
      [...free].find((path) => basename(path) === basename(example)) ??
      [...free].find((path) => extname(path) === extname(example))
    const isInside = !example.split('/').some((part) => part === '..' || part === '')
    if (target === undefined || !isInside || !(await isFile(join(folder, example)))) continue
    free.delete(target)
    files[target] = (await readTaskFile(join(folder, example))) ?? ''
  }
  const manifest = await readTaskFile(join(folder, '.meta/Cargo-example.toml'))
  if (manifest !== null) files['Cargo.toml'] = manifest
  return Object.keys(files).length === 0 ? null : { ...below('files', files), 'solve.sh': copyFiles }
}

const pick = (files: Record<string, string>, wanted: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => wanted.has(path)))

const copyFiles = `cp -R "$(cd "$(dirname "$0")" && pwd)/files/." .\n`

/** The tests replace what an agent put in their place. */
const testScript = (command: string) => `here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p /logs/verifier
cp -R "$here/files/." . || exit 1
(
${command}
)
code=$?
if [ "$code" = 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
exit "$code"
`
