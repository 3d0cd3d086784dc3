import { taskOf } from '#contract/task.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import type { TestRow } from './store.ts'

type Command = { name: string; command: string[] }

/**
 * Returns a function that finds the command of a captured test, as its definition has it: that of the test itself, or of
 * the test whose report had the case. Null if the definition has none, such as for imported runs. Each version is loaded once.
 */
export async function loadCommands(db: Database, rows: readonly TestRow[]) {
  const commands = new Map<string, Command[]>()
  for (const { run } of rows) {
    const key = keyOf(run)
    if (commands.has(key)) continue
    const version = await loadVersion(db, run)
    const tests = version ? taskOf(version.definition, run.prompt).tests : []
    commands.set(
      key,
      tests.map(({ name, command }) => ({ name, command })).sort((a, b) => b.name.length - a.name.length),
    )
  }
  return ({ run, test }: TestRow) =>
    commands.get(keyOf(run))?.find(({ name }) => test.name === name || test.name.startsWith(`${name}/`))?.command ??
    null
}

const keyOf = ({ experimentId, fingerprint, prompt }: TestRow['run']) =>
  JSON.stringify([experimentId, fingerprint, prompt])
