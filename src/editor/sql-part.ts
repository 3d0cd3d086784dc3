import type { EditorState } from '@codemirror/state'

import type { SqlProblem } from './sql-support.ts'

/** Part of a text with its first line and column, both counted from 1. */
export type SqlPart = { sql: string; line: number; column: number }

/** The selection without surrounding whitespace; null if nothing or everything is selected. */
export function partOf({ doc, selection: { main } }: Pick<EditorState, 'doc' | 'selection'>): SqlPart | null {
  if (main.empty) return null
  const selected = doc.sliceString(main.from, main.to)
  const sql = selected.trim()
  if (sql === '' || sql === doc.toString().trim()) return null
  const start = main.from + selected.indexOf(sql)
  const { number, from } = doc.lineAt(start)
  return { sql, line: number, column: [...doc.sliceString(from, start)].length + 1 }
}

/** Converts positions in a part to positions in the whole text. */
export const toDocumentPositions = (
  part: Pick<SqlPart, 'line' | 'column'>,
  problems: readonly SqlProblem[],
): SqlProblem[] =>
  problems.map((problem) =>
    problem.line === undefined
      ? problem
      : {
          ...problem,
          line: problem.line + part.line - 1,
          column: (problem.column ?? 1) + (problem.line === 1 ? part.column - 1 : 0),
        },
  )
