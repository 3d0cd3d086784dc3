import { invalid } from '#platform/ground/failures/failure.ts'

/** chDB runs only the text before a NUL, and no statement needs one. */
export function refuseNul(sql: string) {
  if (sql.includes('\0')) throw invalid('SQL must not contain a NUL character')
}
