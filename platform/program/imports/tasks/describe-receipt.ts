import { toPlainLine } from '#server-kit/plain-line.ts'
import { noImage } from '#platform/inputs/tasks/read-task-folder.ts'
import type { TasksReceipt } from './import-tasks.ts'
import { maxExcluded } from './to-definition.ts'

const maxNamed = 5

/** The report of an import: what was imported, then every difference once, with the tasks that have it. */
export function describeReceipt(receipt: TasksReceipt) {
  const { experimentId, ordinal, created, tasks, withSolution, withoutOracle, skipped, notes } = receipt
  const saved = created ? `Saved as v${ordinal}` : `v${ordinal} already has exactly these tasks`
  return [
    `Imported ${counted(tasks, 'task')} into ${experimentId}; ${withSolution} with a reference solution. ${saved}`,
    ...(withoutOracle
      ? [
          `The agent oracle is left out, because more than ${maxExcluded.toLocaleString('en')} prompts have no solution. Import the tasks with a solution by themselves`,
        ]
      : []),
    ...grouped(notes).map(([text, names]) => `${text} (${listed(names)})`),
    // Only this command has the option; a push and an upload have not.
    ...skipped.map(
      ({ task, text }) => `Skipped ${task}: ${text === noImage ? `${text}. Name one with --image` : text}`,
    ),
  ].map(toPlainLine)
}

const grouped = (notes: TasksReceipt['notes']) =>
  [...Map.groupBy(notes, ({ text }) => text)].map(([text, all]) => [text, all.map(({ task }) => task)] as const)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const listed = (names: readonly string[]) =>
  names.length > maxNamed
    ? `${counted(names.length, 'task')}: ${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
    : names.join(', ')
