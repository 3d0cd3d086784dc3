/** A part of a test's name between separators, and its place in the name. */
export type Segment = { text: string; from: number }

/** The separators of paths, of pytest, and of reports that name a suite and its cases. */
const separator = /\/|::| [>›] /g

/**
 * The segments of a test's name: task, suite, test. A task that is known from the runs comes first, unless the name
 * already starts with it.
 */
export function segmentsOf(test: string, task?: string): Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const { 0: found, index } of test.matchAll(separator)) {
    if (index > from) segments.push({ text: test.slice(from, index), from })
    from = index + found.length
  }
  if (from < test.length) segments.push({ text: test.slice(from), from })
  if (segments.length === 0) segments.push({ text: test, from: 0 })
  return task === undefined || segments[0]?.text === task ? segments : [{ text: task, from: 0 }, ...segments]
}

/** The prompt of each test that ran with one prompt only. Null if no two prompts have different tests. */
export function tasksOf(cells: readonly { group: string; test: string }[]): Map<string, string> | null {
  const promptsOf = new Map<string, Set<string>>()
  for (const { group, test } of cells) promptsOf.set(test, (promptsOf.get(test) ?? new Set()).add(group))
  const prompts = new Set(cells.map(({ group }) => group))
  const own = [...promptsOf].flatMap(([test, found]): [string, string][] => {
    const [prompt] = found
    return found.size === 1 && prompt ? [[test, prompt]] : []
  })
  return prompts.size > 1 && own.length > 0 ? new Map(own) : null
}
