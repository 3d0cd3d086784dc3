import { toPlainLine } from '#platform/ground/failures/plain-line.ts'
import type { TasksReceipt } from './import-tasks.ts'

const maxNamed = 5

/** The report of an import: what was imported, then every difference once, with the tasks that have it. */
export function describeReceipt({ experimentId, ordinal, created, tasks, withSolution, skipped, notes }: TasksReceipt) {
  const saved = created ? `Saved as v${ordinal}` : `v${ordinal} already has exactly these tasks`
  return [
    `Imported ${counted(tasks, 'task')} into ${experimentId}; ${withSolution} with a reference solution. ${saved}`,
    ...grouped(notes).map(([text, names]) => `${text} (${listed(names)})`),
    ...skipped.map(({ task, text }) => `Skipped ${task}: ${text}`),
  ].map(toPlainLine)
}

const grouped = (notes: TasksReceipt['notes']) =>
  [...Map.groupBy(notes, ({ text }) => text)].map(([text, all]) => [text, all.map(({ task }) => task)] as const)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const listed = (names: readonly string[]) =>
  names.length > maxNamed
    ? `${counted(names.length, 'task')}: ${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
    : names.join(', ')
